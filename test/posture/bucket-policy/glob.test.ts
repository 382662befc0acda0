import { expect, it } from 'vitest';
import { contains, glob, intersects, literal, matches } from '../../../src/posture/bucket-policy/glob.ts';
import { fc } from '../../support/property.ts';

/** As policies write it: `${aws:username}`. */
const HOME = 'home/$' + '{aws:username}';

it.each([
  ['a*c', 'abbbc', true],
  ['a*c', 'abbbd', false],
  ['a?c', 'abc', true],
  ['a?c', 'ac', false],
  ['*', '', true],
  ['', '', true],
  ['', 'a', false],
  ['b/*', 'b/', true],
  ['?', '😀', true],
])('%s matches %s: %s', (pattern, text, expected) => {
  expect(matches(glob(pattern), text)).toBe(expected);
});

it.each([
  ['arn:aws:s3:::logs*', 'arn:aws:s3:::logs/*', true, true],
  ['arn:aws:s3:::logs/*', 'arn:aws:s3:::logs', false, false],
  ['b/a*', 'b/*z', true, false],
  ['b/a*', 'b/z*', false, false],
  ['*', 'b/?', true, true],
  ['b/?', 'b/*', true, false],
  ['a**b', 'a*b', true, true],
  // A policy variable may stand for anything, so nothing is known to lie within it.
  [HOME, 'home/eve', true, false],
  [HOME, 'else', false, false],
])('%s and %s: meet %s, the first holds the second %s', (a, b, meet, holds) => {
  expect(intersects(glob(a), glob(b))).toBe(meet);
  expect(contains(glob(a), glob(b))).toBe(holds);
});

const small = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), maxLength: 5 });
const words = ['', 'a', 'b'].flatMap((a) =>
  ['', 'a', 'b'].flatMap((b) => ['', 'a', 'b', 'ab', 'ba', 'bbb'].map((c) => a + b + c)),
);
const asRegExp = (pattern: string) => new RegExp(`^${pattern.replaceAll('*', '.*').replaceAll('?', '.')}$`);

it('agrees with regular expressions on every short word', async () => {
  await fc.assert(
    fc.property(small, small, (a, b) => {
      const both = words.filter((word) => asRegExp(a).test(word) && asRegExp(b).test(word));
      if (both.length > 0) expect(intersects(glob(a), glob(b))).toBe(true);
      if (contains(glob(a), glob(b)))
        expect(words.filter((w) => asRegExp(b).test(w) && !asRegExp(a).test(w))).toEqual([]);
      for (const word of words) expect(contains(glob(a), literal(word))).toBe(asRegExp(a).test(word));
    }),
  );
});
