import { expect, test } from 'vitest';
import { contains, glob, literal } from '../../../src/posture/bucket-policy/glob.ts';
import {
  bucketTarget,
  type Fact,
  type Grant,
  grants,
  isHeldBy,
  matches,
  oneOf,
  type Policy,
  parsePolicy,
  undenied,
} from '../../../src/posture/bucket-policy/index.ts';
import { fc, runs } from '../../support/property.ts';
import { type Caller, type Document, isAllowed, isDenied, type Request } from './brute-force.ts';
import { BUCKET, policies, REQUESTS } from './small-world.ts';

const TARGET = bucketTarget(BUCKET);
const RUNS = runs(150);

function parsed(document: Document): Policy {
  const result = parsePolicy(JSON.stringify(document));
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.policy;
}

const reaches = ({ principal }: Grant, caller: Caller): boolean => {
  if (principal.kind === 'everyone') return true;
  if (principal.kind === 'account') return principal.account === caller.account;
  return principal.text === caller.arn;
};

function admits(fact: Fact, values: readonly string[] | undefined): boolean {
  if (values === undefined) return fact.present !== true;
  return (
    fact.present !== false &&
    values.every(
      (value) =>
        fact.within.every((set) => set.some((pattern) => contains(pattern, literal(value)))) &&
        !fact.without.some((pattern) => contains(pattern, literal(value))),
    )
  );
}

const lets = (grant: Grant, request: Request): boolean =>
  grant.actions.includes(request.action) &&
  reaches(grant, request.caller) &&
  grant.resources.some((pattern) => matches(glob(pattern), request.resource)) &&
  [...grant.facts].every(([key, fact]) => admits(fact, request.context[key]));

test('no request that the policy lets through is missing from the grants', async () => {
  await fc.assert(
    fc.property(policies, (document) => {
      const found = grants(parsed(document), TARGET);
      for (const request of REQUESTS) {
        if (isAllowed(document, request) && !found.some((grant) => lets(grant, request))) {
          throw new Error(`let through but not found: ${JSON.stringify(request)}`);
        }
      }
    }),
    { numRuns: RUNS },
  );
});

test('a grant said to be held by a list reaches nobody else', async () => {
  const list = ['arn:aws:iam::111111111111:role/reader', '222222222222'];
  const isListed = ({ arn, account }: Caller) => arn === list[0] || account === list[1];
  await fc.assert(
    fc.property(policies, (document) => {
      const found = grants(parsed(document), TARGET);
      for (const request of REQUESTS.filter(({ caller }) => !isListed(caller))) {
        if (!isAllowed(document, request)) continue;
        expect(found.some((grant) => lets(grant, request) && !isHeldBy(grant, list))).toBe(true);
      }
    }),
    { numRuns: RUNS / 3 },
  );
});

test('a grant called definite lets through each of its requests, but for those of a caller that is part of it', async () => {
  await fc.assert(
    fc.property(policies, (document) => {
      for (const grant of grants(parsed(document), TARGET).filter(({ verdict }) => verdict === 'definite')) {
        for (const request of REQUESTS.filter((candidate) => lets(grant, candidate))) {
          const whole = grant.principal.kind === 'identity' || grant.principal.kind === 'service';
          if (whole) expect(isAllowed(document, request)).toBe(true);
        }
      }
    }),
    { numRuns: RUNS / 3 },
  );
});

test.each([
  [
    'over plain HTTP',
    new Map([['aws:securetransport', oneOf('false')]]),
    (r: Request) => r.context['aws:securetransport']?.[0] === 'false',
  ],
  ['by anybody under any conditions', new Map(), () => true],
])('what the Denies are said to refuse %s they do refuse', async (_, facts, isAskedFor) => {
  const actions = [...new Set(REQUESTS.map(({ action }) => action))];
  let refused = 0;
  await fc.assert(
    fc.property(policies, (document) => {
      const left = undenied(parsed(document), { actions, target: TARGET, facts });
      for (const request of REQUESTS.filter(isAskedFor)) {
        const isLeft = left.some(
          (piece) =>
            piece.actions.includes(request.action) && piece.resources.some((r) => matches(glob(r), request.resource)),
        );
        if (isLeft) continue;
        refused++;
        if (!isDenied(document, request)) throw new Error(`said to be refused: ${JSON.stringify(request)}`);
      }
    }),
    // Few random policies deny anything over plain HTTP alone: a fixed seed makes sure that some here do.
    { numRuns: RUNS / 3, seed: 20260301 },
  );
  expect(refused).toBeGreaterThan(0);
});

test('and is seldom more careful than it need be', () => {
  let claimed = 0;
  let unwitnessed = 0;
  for (const document of fc.sample(policies, { numRuns: 500, seed: 20_26 })) {
    const allowed = REQUESTS.filter((request) => isAllowed(document, request));
    const inWorld = new Set(REQUESTS.map(({ action }) => action));
    for (const grant of grants(parsed(document), TARGET)) {
      for (const action of grant.actions.filter((name) => inWorld.has(name))) {
        claimed++;
        if (!allowed.some((request) => request.action === action && lets(grant, request))) unwitnessed++;
      }
    }
  }
  const rate = unwitnessed / claimed;
  console.info(
    `grants with no request in the small world to show for them: ${unwitnessed} of ${claimed} (${(rate * 100).toFixed(1)} %)`,
  );
  expect(rate).toBeLessThan(0.2);
});
