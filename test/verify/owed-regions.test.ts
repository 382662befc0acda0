import { describe, expect, it } from 'vitest';
import { sharedBucket } from '../../src/demo/shared-bucket.ts';
import { trail } from '../../src/demo/trail.ts';
import type { Scope, TrailChoice } from '../../src/verify/scope.ts';
import { requestFor, sourceOf, verdictsOf } from '../support/verify-trail.ts';

const OWNER = '123456789012';
const MEMBER = '222222222222';
const HOME = 'us-east-1';
const EVERYWHERE = ['eu-west-1', 'us-east-1', 'us-west-2'];

const choice = { name: 'audit', homeRegion: HOME, owner: OWNER };
const ofAll: TrailChoice = { ...choice, regions: EVERYWHERE };

function bucketOf(...places: (readonly [account: string, region: string])[]) {
  const organization = places.some(([account]) => account === MEMBER) ? { organization: 'o-abc123' } : {};
  const [first, ...others] = places.map(([account, region]) =>
    trail({ ...organization, account, region, homeRegion: HOME })
      .hours(2)
      .logs(1)
      .build(),
  );
  if (first === undefined) throw new RangeError('no place');
  return sharedBucket(first, ...others);
}

const WHOLE = bucketOf([OWNER, 'eu-west-1'], [OWNER, 'us-east-1'], [OWNER, 'us-west-2']);
const WITHOUT_HOME = bucketOf([OWNER, 'eu-west-1'], [OWNER, 'us-west-2']);
const WITHOUT_ONE = bucketOf([OWNER, 'us-east-1'], [OWNER, 'us-west-2']);
const MEMBER_WITHOUT_ONE = bucketOf(
  ...EVERYWHERE.map((region) => [OWNER, region] as const),
  [MEMBER, 'us-east-1'],
  [MEMBER, 'us-west-2'],
);

async function unseen(bucket: typeof WHOLE, scope: Partial<Scope>) {
  const verdicts = await verdictsOf({ ...requestFor(bucket), scope: { prefix: null, ...scope } });
  return verdicts
    .filter(({ kind }) => kind === 'coverage-unseen' || kind === 'coverage-nothing-found')
    .map(({ kind, subject: { account, region, trail: name } }) => [kind, account, region, name].join(' '));
}

const nothing = (account: string, region: string) => `coverage-nothing-found ${account} ${region} audit`;
const one = (account: string, region: string) => `coverage-unseen ${account} ${region} audit`;

describe('a Region that lost digests and logs alike', () => {
  it.each<[string, typeof WHOLE, Partial<Scope>, string[]]>([
    ['none of them', WHOLE, { trails: [ofAll] }, []],
    ['the home Region', WITHOUT_HOME, { trails: [choice] }, [nothing(OWNER, HOME)]],
    ['one that every account has', WITHOUT_ONE, { trails: [ofAll] }, [one(OWNER, 'eu-west-1')]],
    ['one of a member', MEMBER_WITHOUT_ONE, { trails: [ofAll] }, [one(MEMBER, 'eu-west-1')]],
    ['one of which nothing is known', WITHOUT_ONE, { trails: [choice] }, []],
    ['one that is not asked for', WITHOUT_ONE, { trails: [ofAll], regions: new Set(['us-east-1', 'us-west-2']) }, []],
    [
      'the home Region, which is not asked for',
      WITHOUT_HOME,
      { trails: [choice], regions: new Set(['us-west-2']) },
      [],
    ],
    [
      'one of an account that is not asked for',
      MEMBER_WITHOUT_ONE,
      { trails: [ofAll], accounts: new Set([OWNER]) },
      [],
    ],
    ['the home Region of a trail that is not named', WITHOUT_HOME, {}, []],
    ['the home Region of a trail that is named without its account', WITHOUT_HOME, { trails: [{ name: 'audit' }] }, []],
  ])('is told: %s', async (_name, bucket, scope, expected) => {
    expect(await unseen(bucket, scope)).toEqual(expected);
  });

  it('is told by one share of the run, whatever else that one looks at', async () => {
    const shares = [1, 2, 3, 4, 5].map((index) => unseen(WITHOUT_ONE, { trails: [ofAll], share: { index, of: 5 } }));
    const told = (await Promise.all(shares)).flat().filter((each) => each.includes('eu-west-1'));
    expect(told).toEqual([one(OWNER, 'eu-west-1')]);
  });

  it('is told once, though its logs are left', async () => {
    const { objects } = bucketOf([OWNER, 'eu-west-1']);
    const logs = [...objects].filter(([key]) => !key.includes('CloudTrail-Digest'));
    const bucket = { ...WITHOUT_ONE, objects: new Map([...WITHOUT_ONE.objects, ...logs]) };
    const now = bucket.range.end + 5 * 3_600_000;
    const request = { ...requestFor(bucket), now, scope: { prefix: null, trails: [ofAll] } };
    const found = (await verdictsOf(request)).filter(({ subject }) => subject.region === 'eu-west-1');
    expect(found.map(({ kind }) => kind)).toEqual(['coverage-nothing-found']);
  });

  it('is not called missing where a folder was refused', async () => {
    const source = sourceOf(WITHOUT_ONE);
    const folders = source.folders.bind(source);
    source.folders = async (prefix) => {
      const answer = await folders(prefix);
      return prefix.endsWith('CloudTrail-Digest/')
        ? { ...answer, folders: [...answer.folders, `${prefix}eu-west-1/`] }
        : answer;
    };
    const list = source.list.bind(source);
    source.list = async function* (prefix, after) {
      if (prefix.includes('eu-west-1')) {
        const { SourceError } = await import('../../src/source/source.ts');
        throw new SourceError({ kind: 'denied', code: 'AccessDenied', message: 'no' });
      }
      yield* list(prefix, after);
    };
    const request = { ...requestFor(WITHOUT_ONE, source), scope: { prefix: null, trails: [ofAll] } };
    const kinds = (await verdictsOf(request)).map(({ kind }) => kind);
    expect(kinds).toContain('digest-unreadable');
    expect(kinds).not.toContain('coverage-unseen');
  });
});
