import { expect, it } from 'vitest';
import { draftConfig, type Found, type FoundBucket } from '../../src/config/draft.ts';
import { parseConfig, problemLine } from '../../src/config/load.ts';
import type { Config } from '../../src/config/schema.ts';

const AT = '2026-03-01T12:00:00.000Z';
const trailArn = (name: string): string => `arn:aws:cloudtrail:eu-west-2:011122223333:trail/${name}`;
const bucket = (change: Partial<FoundBucket> = {}): FoundBucket => ({
  name: 'logs',
  account: '011122223333',
  region: 'eu-west-2',
  prefix: null,
  retention: { mode: 'COMPLIANCE', days: 365 },
  ...change,
});

function readBack(found: Found): Config {
  const result = parseConfig(Buffer.from(draftConfig(found, AT)), 'trailseal.yaml', Date.parse(AT));
  if (!result.ok) throw new Error(result.problems.map(problemLine).join('\n'));
  return result.loaded.config;
}

const found = (change: Partial<Found> = {}): Found => ({
  trails: [{ arn: trailArn('audit'), bucket: 'logs', prefix: '' }],
  organization: false,
  logBuckets: [bucket()],
  unseen: [],
  ...change,
});

it.each<[string, Found, object]>([
  ['one trail', found(), { trails: [trailArn('audit')], logBuckets: [{ name: 'logs', account: '011122223333' }] }],
  ['nothing', found({ trails: [], logBuckets: [] }), { trails: [], logBuckets: [] }],
  ['an organization', found({ organization: true }), { organization: true }],
  ['an unknown owner', found({ logBuckets: [bucket({ account: null })] }), { logBuckets: [{ name: 'logs' }] }],
  ['a prefix', found({ logBuckets: [bucket({ prefix: 'a b/c: d' })] }), { logBuckets: [{ prefix: 'a b/c: d' }] }],
  [
    'a longer lock',
    found({ logBuckets: [bucket({ retention: { mode: 'COMPLIANCE', days: 2555 } })] }),
    { logBuckets: [{ retention: { days: 2555 } }] },
  ],
  [
    'a weaker lock is not made the demand',
    found({ logBuckets: [bucket({ retention: { mode: 'GOVERNANCE', days: 30 } })] }),
    { logBuckets: [{ retention: { lock: 'COMPLIANCE', days: 365 } }] },
  ],
  [
    'no lock',
    found({ logBuckets: [bucket({ retention: null })] }),
    { logBuckets: [{ retention: { lock: 'COMPLIANCE', days: 365 } }] },
  ],
  [
    'two buckets: each trail says its own',
    found({
      trails: [
        { arn: trailArn('audit'), bucket: 'logs', prefix: '' },
        { arn: trailArn('other'), bucket: 'more', prefix: '' },
      ],
      logBuckets: [bucket(), bucket({ name: 'more' })],
    }),
    {
      trails: [
        { arn: trailArn('audit'), bucket: 'logs' },
        { arn: trailArn('other'), bucket: 'more' },
      ],
    },
  ],
])('%s is read back', (_, what, expected) => {
  expect(readBack(what)).toMatchObject(expected);
});

it('what strangers wrote stays in its comment', () => {
  const what = found({ unseen: ['trails: X\nfailOn: low\u2028verify: {}\u0085organization: true'] });
  expect(readBack(what)).toEqual(readBack(found()));
  const mode = 'COMPLIANCE\nfailOn: low';
  expect(readBack(found({ logBuckets: [bucket({ retention: { mode, days: 1 } })] }))).not.toHaveProperty('failOn');
});
