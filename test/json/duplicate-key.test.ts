import { expect, it } from 'vitest';
import { duplicateKey } from '../../src/json/duplicate-key.ts';
import { fc } from '../support/property.ts';

const check = (json: string) => duplicateKey(json, JSON.parse(json));

it.each([
  ['{"a":1,"a":2}', 'a'],
  ['{"a":1,"a":1}', 'a'],
  ['{"a" :1, "a"\n:1}', 'a'],
  [String.raw`{"a":1,"\u0061":2}`, 'a'],
  [String.raw`{"a\/":1,"a/":2}`, 'a/'],
  [String.raw`{"\"":1,"\"":2}`, '"'],
  [String.raw`{"\\":1,"x":"\\\"","\\":2}`, '\\'],
  ['{"":1,"":2}', ''],
  ['{"__proto__":1,"__proto__":{}}', '__proto__'],
  ['[{"b":{}},{"c":[{"d":1,"d":2}]}]', 'd'],
  ['{"a":{"x":1,"x":2},"b":3}', 'x'],
  ['{"a":{"x":1,"x":2},"a":3}', 'x'],
  // As much shorter in the text as the second member is long.
  ['{"n":123456789012345678,"a":1,"a":2}', 'a'],
  ['{"n":1e300,"a":1,"a":2}', 'a'],
])('%s gives %j twice', (json, key) => {
  expect(check(json)).toBe(key);
});

it.each([
  '{"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}]}',
  String.raw`{"a":"{\"a\":1,\"a\":2}"}`,
  '{"a":"b","b":"a"}',
  ' { "a" : [ true , false , null , -1.5e3 ] } ',
  '{"__proto__":1}',
  '"a"',
  '[]',
  '7',
])('%s gives none twice', (json) => {
  expect(check(json)).toBeNull();
});

it('finds none in what was written from a value, and one as soon as a member is written again', () => {
  const spaces = fc.constantFrom(undefined, 1, '\t');
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), spaces, (value, space) => {
      const json = JSON.stringify(value, null, space);
      expect(check(json)).toBeNull();
      const [name = ''] = Object.keys(value);
      expect(check(json.replace('{', () => `{${JSON.stringify(name)}:0,`))).toBe(name);
    }),
  );
});

it.each([
  ['nesting that is deeper than the stack', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ['a string of many megabytes', `[ "${'x'.repeat(20_000_000)}"]`],
  ['as many backslashes', `{"a": "${'\\'.repeat(20_000_000)}"}`],
])('%s is no trouble', (_name, json) => {
  expect(duplicateKey(json, JSON.parse(json))).toBeNull();
  expect(check(`{"y":1,"x":${json},"y":1}`)).toBe('y');
});
