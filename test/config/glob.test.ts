import { expect, it } from 'vitest';
import { globMatches } from '../../src/config/glob.ts';
import { fc } from '../support/property.ts';

it.each([
  ['', '', true],
  ['', 'a', false],
  ['*', '', true],
  ['a*', 'abc', true],
  ['a*c', 'abcbc', true],
  ['a*c', 'abcb', false],
  ['?', '', false],
  ['a?c', 'abc', true],
  ['.*', 'abc', false],
  ['[ab]', 'a', false],
])('%j on %j: %s', (pattern, value, expected) => {
  expect(globMatches(pattern, value)).toBe(expected);
});

it('agrees with a regular expression', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 8 });
  const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), maxLength: 8 });
  fc.assert(
    fc.property(pattern, word, (glob, value) => {
      const expression = new RegExp(`^${glob.replaceAll('*', '.*').replaceAll('?', '.')}$`);
      expect(globMatches(glob, value)).toBe(expression.test(value));
    }),
  );
});

it('a hostile pattern costs no exponential time', () => {
  expect(globMatches(`${'*a'.repeat(2_000)}b`, 'a'.repeat(20_000))).toBe(false);
});
