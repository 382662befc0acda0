import { expect, test } from 'vitest';
import { parseLogKey } from '../../src/chain/location.ts';

const key = (account: string, minute: string, end = '_0123456789abcdEF.json.gz') =>
  `AWSLogs/${account}/CloudTrail/us-east-1/2026/03/01/${account}_CloudTrail_us-east-1_20260301T${minute}Z${end}`;
const [A, B] = ['111111111111', '222222222222'];

/** What is known of one key must never be said of another. */
test('log keys are told apart, however often and in whatever order they come', () => {
  for (let round = 0; round < 2; round++) {
    for (let minute = 0; minute < 60; minute++) {
      for (const account of [A, B]) {
        for (let hour = 0; hour < 10; hour++) {
          const text = `0${hour}${`${minute}`.padStart(2, '0')}`;
          const { root, nameTime } = parseLogKey(key(account, text)) ?? {};
          expect([root, nameTime]).toEqual([`AWSLogs/${account}/`, Date.UTC(2026, 2, 1, hour, minute)]);
        }
      }
    }
  }
});

test.each([
  key(A, '0100', '_0123456789abcdE.json.gz'),
  key(A, '0100', '_0123456789abcdEF.json.gz\n'),
  key(A, '0100', '_0123456789abcd-F.json.gz'),
  key(A, '0100', '.json.gz'),
  key(A, '0100', ''),
  key(A, '2460'),
  key(A, '0100').replace(A, B),
  `${key(A, '0100')}_0123456789abcdEF.json.gz`,
  '_0123456789abcdEF.json.gz',
  '__proto___0123456789abcdEF.json.gz',
])('%j is no log key, also beside one that is', (text) => {
  expect(parseLogKey(key(A, '0100'))).not.toBeNull();
  for (let round = 0; round < 2; round++) expect(parseLogKey(text)).toBeNull();
});
