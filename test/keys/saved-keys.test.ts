import { describe, expect, it } from 'vitest';
import { formatSavedKeys, parseSavedKeys, SavedKeysError } from '../../src/keys/saved-keys.ts';

const KEY = {
  Value: 'MIIBCgKC',
  Fingerprint: '0123456789abcdef0123456789abcdef',
  ValidityStartTime: '2026-01-01T01:00:00+01:00',
  ValidityEndTime: 1_767_312_000,
};
const SERVED = {
  value: Buffer.from('MIIBCgKC', 'base64'),
  fingerprint: KEY.Fingerprint,
  validFrom: Date.UTC(2026, 0, 1),
  validTo: Date.UTC(2026, 0, 2),
};

describe('a file of public keys', () => {
  it.each([
    ['the answer of list-public-keys', { PublicKeyList: [KEY] }, null],
    ['the bare list', [KEY], null],
    ['keys by Region', { 'eu-west-1': [KEY] }, 'eu-west-1'],
  ])('%s', (_, json, region) => {
    expect(parseSavedKeys(JSON.stringify(json))).toEqual([{ region, key: SERVED }]);
  });

  it('is read as it is written', () => {
    const written = formatSavedKeys(new Map([['eu-west-1', [SERVED]]]));
    expect(parseSavedKeys(written)).toEqual([{ region: 'eu-west-1', key: SERVED }]);
  });

  it.each([
    ['{', 'is not JSON'],
    ['7', 'is no file of public keys: expected what aws cloudtrail list-public-keys prints'],
    ['null', 'is no file of public keys: expected what aws cloudtrail list-public-keys prints'],
    [{ PublicKeyList: null }, 'PublicKeyList: expected a list of public keys'],
    [{ 'eu-west-1': {} }, 'eu-west-1: expected a list of public keys'],
    [{ PublicKeyList: [KEY], more: 1 }, null],
    [[7], '[0]: expected a public key'],
    [[[]], '[0]: expected a public key'],
    [{ 'eu-west-1': [KEY, { ...KEY, Value: 'MIIBCgK' }] }, 'eu-west-1[1].Value: expected Base64'],
    [[{ ...KEY, Value: undefined }], '[0].Value: expected Base64'],
    [[{ ...KEY, Fingerprint: '01' }], '[0].Fingerprint: expected 32 hex digits'],
    [
      [{ ...KEY, ValidityStartTime: 'soon' }],
      '[0].ValidityStartTime: expected a time, as ISO 8601 or as seconds since 1970',
    ],
    [[{ ...KEY, ValidityEndTime: null }], '[0].ValidityEndTime: expected a time, as ISO 8601 or as seconds since 1970'],
    [
      JSON.stringify([KEY]).replace('1767312000', '1e999'),
      '[0].ValidityEndTime: expected a time, as ISO 8601 or as seconds since 1970',
    ],
  ])('%j: %s', (json, message) => {
    const read = () => parseSavedKeys(typeof json === 'string' ? json : JSON.stringify(json));
    if (message === null) expect(read()).toHaveLength(1);
    else {
      expect(read).toThrow(SavedKeysError);
      expect(read).toThrow(message);
    }
  });
});
