import { describe, expect, it } from 'vitest';
import { parseTrailArn } from '../../src/aws/trails.ts';
import { digestKey, parseDigestKey } from '../../src/chain/location.ts';
import { parseInstant } from '../../src/commands/shared-options.ts';
import { trail } from '../../src/demo/trail.ts';
import { runCli } from '../support/run-cli.ts';
import { serve } from '../support/served-trail.ts';

/** Spec "conformance", 2.1: times, ARNs and the names of digests. */

const { chain } = trail().hours(1).build();
const NAME = `${chain.root}CloudTrail-Digest/us-east-1/2015/08/16/123456789012_CloudTrail-Digest_us-east-1_foo_us-east-1_20150816T230550Z`;
const AT = Date.parse('2015-08-16T23:05:50Z');

async function refused(...argv: string[]): Promise<string> {
  const { code, err, out } = await runCli(['verify', '--s3-bucket', 'b', ...argv]);
  expect([code, out]).toEqual([2, '']);
  return err;
}

it('1: a date in the name of a digest', () => {
  expect(digestKey(chain, Date.UTC(2015, 7, 21))).toContain('_20150821T000000Z.json.gz');
});

it('2: a time that is none', async () => {
  expect(await refused('--start-time', 'foo')).toContain('--start-time foo: not a time');
});

// Differs on purpose: the reference reads any wording, and 08/09/2015 as one of two days. ISO 8601 has one reading.
it('3: a time in words is refused, the same in ISO 8601 is that instant', async () => {
  expect(await refused('--start-time', 'August 25, 2015 00:00:00 UTC')).toContain('not a time');
  expect(parseInstant('2015-08-25T00:00:00Z', 'start-time')).toBe(Date.UTC(2015, 7, 25));
});

it.each([
  ['4: an ARN that is none', 'foo:bar:baz'],
  ['5: an ARN without trail/', 'arn:aws:cloudtrail:us-east-1:123456789012:foo'],
])('%s', async (_title, arn) => {
  expect(await refused('--trail-arn', arn)).toContain(`--trail-arn ${arn}: expected arn:aws:cloudtrail`);
});

it('6: an ARN', () => {
  const arn = 'arn:aws:cloudtrail:us-east-1:123456789012:trail/foo';
  expect(parseTrailArn(arn)).toEqual({ arn, region: 'us-east-1', account: '123456789012', name: 'foo' });
});

// Differs on purpose: the reference replaces the offset by UTC, so that +02:00 is two hours off.
it.each([
  ['7: a time with its offset keeps it', '2015-08-21T02:00:00+02:00'],
  ['a time without one is UTC', '2015-08-21T00:00:00'],
  ['a date alone is midnight UTC', '2015-08-21'],
])('%s', (_title, text) => {
  expect(parseInstant(text, 'start-time')).toBe(Date.UTC(2015, 7, 21));
});

it('8: the time in the name of a digest', () => {
  expect(parseDigestKey(`${NAME}.json.gz`)).toMatchObject({ endTime: AT, chain: { trail: 'foo', backfill: false } });
});

it('9: the time in the name of a backfill digest', () => {
  expect(parseDigestKey(`${NAME}_backfill.json.gz`)?.endTime).toBe(AT);
});

it('10: a backfill digest is told from another by its name', () => {
  expect(parseDigestKey(`${NAME}_backfill.json.gz`)?.chain.backfill).toBe(true);
  expect(parseDigestKey(`${NAME}.json.gz`)?.chain.backfill).toBe(false);
});

// Differs on purpose: what fits no name of CloudTrail's is told as foreign, not merely passed over.
describe('11: names that are no backfill digest', () => {
  it.each(['file.txt', 'file_backfill.txt', 'file.json.gz', 'file_backfill_other.json.gz'])('%s', async (name) => {
    const folder = `${chain.root}CloudTrail-Digest/us-east-1/2026/03/01/`;
    expect(parseDigestKey(folder + name)).toBeNull();
    const { verify } = await serve(
      trail()
        .hours(2)
        .addObject(folder + name, 'x')
        .build(),
    );
    expect((await verify()).summary.verdicts).toMatchObject({ 'object-foreign': 1, 'digest-signed': 2 });
  });
});

// Differs on purpose: the reference takes the fifth part of anything; only an ARN of a trail has an account here.
it('12: the account of an ARN', () => {
  expect(parseTrailArn('arn:aws:cloudtrail:us-east-1:123412341234:trail/foo')?.account).toBe('123412341234');
  expect(parseTrailArn('foo:bar:baz:qux:1234')).toBeNull();
});

describe('13: a trail by its ARN', () => {
  const arn = (name: string) => `arn:aws:cloudtrail:us-east-1:123456789012:trail/${name}`;
  const described = (name: string, bucket: string) => ({
    Name: name,
    TrailARN: arn(name),
    S3BucketName: bucket,
    HomeRegion: 'us-east-1',
    IsMultiRegionTrail: true,
    IsOrganizationTrail: false,
    LogFileValidationEnabled: true,
  });
  const built = trail({ name: 'b-trail' }).hours(2).build();
  const trails = [described('a-trail', 'elsewhere'), described('b-trail', built.bucket)];

  it('is found among others', async () => {
    const { verify } = await serve(built, { trails });
    const { code, summary } = await verify('--trail-arn', arn('b-trail'));
    expect([code, summary.verdicts['digest-signed']]).toEqual([0, 2]);
  });

  // Differs on purpose: one trail that cannot be described does not end the run for the others.
  it('that is not there is inconclusive', async () => {
    const { verify } = await serve(built, { trails });
    const { code, summary } = await verify('--trail-arn', arn('c-trail'), '--trail-arn', arn('b-trail'));
    expect([code, summary.verdicts['digest-error'], summary.verdicts['digest-signed']]).toEqual([3, 1, 2]);
  });
});

// Differs on purpose: accounts stand in the keys, so nobody has to be asked who the caller is.
it('14: no account id has to be asked of STS', async () => {
  const { server, verify } = await serve(trail().hours(2).build());
  const { summary } = await verify();
  expect(summary.chains).toMatchObject([{ account: '123456789012', digests: 2 }]);
  expect([...new Set(server.requests.map(({ operation }) => operation))].sort()).not.toContain('GetCallerIdentity');
});
