import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { postureCommand } from '../../src/commands/posture.ts';
import { known } from '../../src/posture/evidence.ts';
import type { Snapshot } from '../../src/posture/snapshot.ts';
import { keyPolicy } from '../support/audited-account.ts';
import { ioInto } from '../support/posture-run.ts';
import { ACCOUNT, STATE_BUCKET, snapshot, TRAIL_ARN, trailFacts, withBucket } from '../support/snapshot.ts';

const PAGE = new URL('../../docs/posture.md', import.meta.url);
const BLOCK = /(<!-- The screen below[^\n]*-->\n\n```text\n)[\s\S]*?(```\n)/;

const KEY = `arn:aws:kms:eu-west-2:${ACCOUNT}:key/7f9f4f6e-0000-4000-8000-000000000000`;
const GROUP = `arn:aws:logs:eu-west-2:${ACCOUNT}:log-group:cloudtrail:*`;

const statements = keyPolicy(TRAIL_ARN, ACCOUNT).Statement.filter(({ Sid }) => Sid !== 'Read');
const trail = trailFacts();
const described = trail.description.state === 'known' ? trail.description.value : {};
const status = trail.status.state === 'known' ? trail.status.value : {};

/** The account of the guide: in order, but for a lock that can be bypassed. */
const acme = (): Snapshot => ({
  ...snapshot(),
  trails: [
    {
      ...trail,
      description: known({ ...described, KmsKeyId: KEY, CloudWatchLogsLogGroupArn: GROUP }),
      status: known({ ...status, LatestCloudWatchLogsDeliveryTime: '2026-03-01T11:55:00.000Z' }),
    },
  ],
  buckets: withBucket({
    objectLock: known({
      ObjectLockEnabled: 'Enabled',
      Rule: { DefaultRetention: { Mode: 'GOVERNANCE', Days: 365 } },
    }),
  }).buckets,
  keys: [
    {
      id: KEY,
      metadata: known({
        Arn: KEY,
        AWSAccountId: ACCOUNT,
        KeyState: 'Enabled',
        KeyManager: 'CUSTOMER',
        Origin: 'AWS_KMS',
      }),
      rotation: known({ KeyRotationEnabled: true }),
      policy: known(JSON.stringify({ Version: '2012-10-17', Statement: statements })),
    },
  ],
  logGroups: [{ arn: GROUP, group: known({ logGroupName: 'cloudtrail', retentionInDays: 400 }) }],
});

it('docs/posture.md shows the screen that the command prints', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'screen-')), 'snapshot.json');
  await writeFile(file, JSON.stringify(acme()));
  let out = '';
  const io = ioInto(
    (text) => {
      out += text;
    },
    () => undefined,
  );
  const options = { snapshot: file, trailArn: [TRAIL_ARN], stateBucket: [STATE_BUCKET] };
  await postureCommand.run(options as never, { ...io, now: () => 0 });
  const page = await readFile(PAGE, 'utf8');
  await expect(page.replace(BLOCK, (_, before, after) => `${before}${out}${after}`)).toMatchFileSnapshot(PAGE.pathname);
});
