import { expect, it } from 'vitest';
import { meaning } from '../../src/chain/meaning.ts';

const KEY = 'AWSLogs/digest.json.gz';

it.each([
  [
    { digest: KEY, what: 'object', expected: 'there', found: 'not there' },
    `${KEY} was verified by an earlier run and is not there any more`,
  ],
  [
    { digest: KEY, what: 'SHA-256', expected: 'aa', found: 'bb' },
    `${KEY} was verified by an earlier run with the SHA-256 aa; now bb`,
  ],
  [
    { digest: KEY, what: 'SHA-256', expected: 'aa', found: 'the object is no gzip file' },
    `${KEY} was verified by an earlier run with the SHA-256 aa; now the object is no gzip file`,
  ],
])('a digest that is not what it was: %j', (facts, message) => {
  expect(meaning['checkpoint-rewritten'].message(facts)).toBe(message);
});

it('where nothing was found the remedy tells of the delivery that is still to come', () => {
  expect(meaning['coverage-nothing-found'].remedy).toMatch(/--grace.*--since/);
});

it('a remedy is a sentence, and only what passes has none', () => {
  for (const [kind, { outcome, remedy }] of Object.entries(meaning)) {
    if (typeof remedy !== 'string') continue;
    if (outcome === 'fail' || outcome === 'inconclusive')
      expect([kind, remedy]).toEqual([kind, expect.stringMatching(/^\S.+[.?]$/)]);
    else expect([kind, remedy]).toEqual([kind, '']);
  }
});
