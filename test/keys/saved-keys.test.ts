import { expect, it } from 'vitest';
import { parseSavedKeys, SavedKeysError } from '../../src/keys/saved-keys.ts';

const KEY = {
  Value: 'AAAA',
  Fingerprint: '0123456789abcdef0123456789abcdef',
  ValidityStartTime: '2026-01-01T00:00:00Z',
  ValidityEndTime: 1_780_000_000,
};

it.each<[string, unknown, string]>([
  ['no JSON', '{', 'is not JSON'],
  ['a text', '"keys"', 'is no file of public keys: expected what aws cloudtrail list-public-keys prints'],
  ['another file', { PublicKeyList: 'x' }, 'PublicKeyList: expected a list, found text'],
  ['a key that is none', { PublicKeyList: [7] }, 'PublicKeyList[0]: expected keys with values, found a number'],
  ['no fingerprint', [{ ...KEY, Fingerprint: undefined }], '[0].Fingerprint: is required'],
  [
    'a short one',
    { PublicKeyList: [KEY, { ...KEY, Fingerprint: 'ab' }] },
    'PublicKeyList[1].Fingerprint: expected 32 hex digits',
  ],
  ['no key', { 'eu-west-2': [{ ...KEY, Value: 7 }] }, 'eu-west-2[0].Value: expected text, found a number'],
  ['not Base64', [{ ...KEY, Value: '!' }], '[0].Value: expected Base64'],
  [
    'no time',
    [{ ...KEY, ValidityEndTime: 'soon' }],
    '[0].ValidityEndTime: expected a time, as ISO 8601 or as seconds since 1970; "soon" is none',
  ],
  [
    'no time at all',
    [{ ...KEY, ValidityEndTime: null }],
    '[0].ValidityEndTime: expected a time, as ISO 8601 or as seconds since 1970',
  ],
])('%s', (_, content, message) => {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  expect(() => parseSavedKeys(text)).toThrow(new SavedKeysError(message));
});

it.each([[[KEY]], [{ PublicKeyList: [KEY] }], [{ 'eu-west-2': [KEY] }]])('%j is read', (content) => {
  expect(parseSavedKeys(JSON.stringify(content))).toHaveLength(1);
});
