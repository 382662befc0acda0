import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DigestEntry } from '../../src/chain/attestation.ts';
import { type Checkpoint, followChain } from '../../src/chain/checkpoint.ts';
import { formatTime, HOUR } from '../../src/chain/location.ts';
import { outcomeOf } from '../../src/chain/meaning.ts';
import type { Verdict } from '../../src/chain/verdict.ts';
import { type TrailBuilder, trail } from '../../src/demo/trail.ts';
import type { Outcome } from '../../src/report/finding.ts';
import type { Source, Trouble } from '../../src/source/source.ts';
import { fileStore } from '../../src/state/file-store.ts';
import { recall } from '../../src/state/memory.ts';
import { checkpointName, parseCheckpoint, sha256Of } from '../../src/state/record.ts';
import type { VerifyRequest } from '../../src/verify/verify.ts';
import type { MemorySource } from '../support/memory-source.ts';
import { requestFor, sourceOf, stepsOf } from '../support/verify-trail.ts';

const DENIED: Trouble = { kind: 'denied', code: 'AccessDenied', message: 'Access Denied' };

let root: string;
let state: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'trailseal-memory-'));
});
afterAll(() => rm(root, { recursive: true }));
beforeEach(async () => {
  state = await mkdtemp(join(root, 'case-'));
});

interface Night {
  readonly init?: boolean;
  /** What waivers make of a verdict's outcome. */
  readonly waive?: (verdict: Verdict) => boolean;
  readonly prepare?: (
    source: MemorySource,
    digests: readonly { readonly key: string; readonly logs: readonly string[] }[],
  ) => void;
  readonly request?: Partial<VerifyRequest>;
}

/** One nightly run: from where the memory wants it to the end of the trail. Gives the verdicts of the memory alone. */
async function night(builder: TrailBuilder, { init = false, waive, prepare, request }: Night = {}) {
  const built = builder.build();
  const source = sourceOf(built);
  prepare?.(source, built.digests);
  const asked = requestFor(built, source as Source);
  const memory = await recall({ store: fileStore(state), init, now: asked.now, inScope: () => true });
  const start = memory.start ?? built.range.start;
  for await (const step of stepsOf({
    ...asked,
    range: { start, end: built.range.end },
    watch: memory.read,
    ...request,
  })) {
    if (step.type !== 'verdict') continue;
    const outcome: Outcome = waive?.(step.verdict) ? 'waived' : outcomeOf(step.verdict.kind);
    memory.judged(step.verdict.kind, outcome, step.verdict.subject);
  }
  const told = memory.end().map(({ kind }) => kind);
  const problems = await memory.save();
  return { told, problems, inputs: memory.inputs };
}

async function checkpoints(): Promise<Checkpoint[]> {
  const names = (await readdir(state, { recursive: true })).filter((name) => name.endsWith('.json')).sort();
  return Promise.all(
    names.map(async (name) => {
      const checkpoint = parseCheckpoint(await readFile(join(state, name)));
      if (checkpoint === null) throw new Error(`${name} is no checkpoint`);
      return checkpoint;
    }),
  );
}

const through = async (): Promise<string[]> => (await checkpoints()).map(({ digest }) => digest.endTime);
const SIX = trail().hours(6);
const START = SIX.build().range.start;
const hour = (n: number): string => formatTime(START + n * HOUR);

describe('the first run', () => {
  it('is inconclusive unless it was asked for, and remembers nothing', async () => {
    expect(await night(SIX)).toMatchObject({ told: ['checkpoint-absent'], problems: [] });
    expect(await checkpoints()).toEqual([]);
  });

  it('remembers the whole chain', async () => {
    expect((await night(SIX, { init: true })).told).toEqual([]);
    expect(await checkpoints()).toMatchObject([
      {
        account: '123456789012',
        region: 'us-east-1',
        trail: 'audit',
        sequence: 1,
        previous: null,
        firstVerified: hour(0),
        verifiedAt: hour(7),
        totals: { digests: 6, logs: 12 },
        digest: { startTime: hour(5), endTime: hour(6), bucket: 'example-trail-logs' },
        open: [],
      },
    ]);
  });
});

describe('a checkpoint that was removed', () => {
  beforeEach(async () => {
    await night(SIX, { init: true });
    await rm(join(state, checkpointName(SIX.build().chain)));
  });

  it.each([false, true])('is no first run, init %s', async (init) => {
    expect(await night(SIX, { init })).toMatchObject({ told: ['checkpoint-absent'], problems: [] });
    expect(await checkpoints()).toEqual([]);
  });

  it('is one where its line is taken out of the roll', async () => {
    await writeFile(join(state, 'chains.txt'), '');
    expect((await night(SIX, { init: true })).told).toEqual([]);
    expect(await checkpoints()).toHaveLength(1);
  });
});

describe('the next night', () => {
  beforeEach(() => night(SIX, { init: true }));

  it('with nothing new moves the clock on', async () => {
    expect((await night(SIX, { request: { now: START + 9 * HOUR } })).told).toEqual(['checkpoint-continuous']);
    expect(await checkpoints()).toMatchObject([{ sequence: 2, totals: { digests: 6, logs: 12 } }]);
    expect(await through()).toEqual([hour(6)]);
  });

  it('goes on over what is new, and says what it went on from', async () => {
    const name = checkpointName(SIX.build().chain);
    const before = sha256Of(await readFile(join(state, name)));
    const { told, inputs } = await night(SIX.hours(10));
    expect(told).toEqual(['checkpoint-continuous']);
    expect(inputs).toEqual({ [`checkpoint ${name}`]: before });
    expect(await checkpoints()).toMatchObject([
      { sequence: 2, previous: before, firstVerified: hour(0), totals: { digests: 10, logs: 20 } },
    ]);
    expect(await through()).toEqual([hour(10)]);
  });

  it.each<[string, (t: TrailBuilder) => TrailBuilder, string[]]>([
    ['the remembered digest re-signed with other content', (t) => t.resignDigest(5), ['checkpoint-rewritten']],
    ['the signature of the remembered digest replaced', (t) => t.swapSignature(5, 4), ['checkpoint-rewritten']],
    ['the remembered digest removed', (t) => t.dropDigest(5), ['checkpoint-rewritten']],
    ['the remembered digest is no gzip any more', (t) => t.replaceDigest(5, 'x'), ['checkpoint-rewritten']],
    [
      'the whole chain from there on replaced',
      (t) => t.writeDigest(4, { newestEventTime: null }),
      ['checkpoint-rewritten'],
    ],
    ['the tail cut before it', (t) => t.cutTail(6), ['checkpoint-truncated']],
    ['everything removed', (t) => t.dropEverything(), ['checkpoint-truncated']],
    ['the chain starts anew after it', (t) => t.stopAt(5, 1), ['checkpoint-continuous', 'checkpoint-restarted']],
    [
      'the chain starts anew without a gap',
      (t) => t.unlinkDigest(7),
      ['checkpoint-continuous', 'checkpoint-restarted'],
    ],
    ['a new log altered', (t) => t.alterLog(8), ['checkpoint-continuous']],
    ['a new digest missing', (t) => t.dropDigest(7), ['checkpoint-continuous']],
    ['a new log that no digest names', (t) => t.addLog(8), ['checkpoint-continuous']],
  ])('%s: told, and the checkpoint stays', async (_, change, told) => {
    const before = await checkpoints();
    expect((await night(change(SIX.hours(10)))).told).toEqual(told);
    expect(await checkpoints()).toEqual(before);
  });

  it('a failure somebody accepted does not hold it back', async () => {
    await night(SIX.hours(10).alterLog(8), { waive: ({ kind }) => kind === 'log-altered' });
    expect(await through()).toEqual([hour(10)]);
  });

  it('a listing that was refused is no proof that anything is gone', async () => {
    const gone = await night(SIX.hours(10), {
      prepare: (source) => source.refuseListing('AWSLogs/123456789012/CloudTrail-Digest/', DENIED),
    });
    expect(gone.told).toEqual([]);
    expect(await through()).toEqual([hour(6)]);
  });

  it('nor is a listing that broke off just before it', async () => {
    const { told } = await night(SIX.hours(10), {
      prepare: (source, digests) => source.refuseListing(digests[5]?.key ?? '', DENIED),
    });
    expect(told).toEqual([]);
    expect(await through()).toEqual([hour(6)]);
  });

  it('a refused read of the remembered digest is neither unchanged nor rewritten', async () => {
    const { told } = await night(SIX.hours(10), {
      prepare: (source, digests) => source.refuse(digests[5]?.key ?? '', DENIED),
    });
    expect(told).toEqual([]);
    expect(await through()).toEqual([hour(6)]);
  });

  it.each<
    [string, (source: MemorySource, digests: readonly { key: string; logs: readonly string[] }[]) => void, number]
  >([
    ['a log that could not be read', (source, digests) => source.refuse(digests[8]?.logs[1] ?? '', DENIED), 8],
    ['a digest that could not be read', (source, digests) => source.refuse(digests[8]?.key ?? '', DENIED), 8],
    ['the first new log', (source, digests) => source.refuse(digests[6]?.logs[0] ?? '', DENIED), 6],
  ])('goes up to an open item and not past it: %s', async (_, refuse, expected) => {
    await night(SIX.hours(10), { prepare: (source, digests) => refuse(source, digests as never) });
    expect(await through()).toEqual([hour(expected)]);
  });

  it('with the first new item open nothing moves, not even the clock', async () => {
    const before = await checkpoints();
    await night(SIX.hours(10), { prepare: (source, digests) => source.refuse(digests[6]?.logs[0] ?? '', DENIED) });
    expect(await checkpoints()).toEqual(before);
  });

  it('names what was open, and goes on when it can be read', async () => {
    await night(SIX.hours(10), { prepare: (source, digests) => source.refuse(digests[8]?.logs[1] ?? '', DENIED) });
    expect(await checkpoints()).toMatchObject([{ sequence: 2, open: [{ kind: 'log-unreadable' }] }]);
    expect((await night(SIX.hours(10))).told).toEqual(['checkpoint-continuous']);
    expect(await checkpoints()).toMatchObject([{ sequence: 3, open: [], totals: { digests: 10, logs: 20 } }]);
  });

  it('a run cut short keeps what it has proven', async () => {
    const end = new AbortController();
    let seen = 0;
    const built = SIX.hours(10).build();
    const memory = await recall({ store: fileStore(state), init: false, now: START + 11 * HOUR, inScope: () => true });
    const request = { ...requestFor(built), concurrency: 1, range: { start: memory.start, end: built.range.end } };
    for await (const step of stepsOf({ ...request, watch: memory.read, signal: end.signal })) {
      if (step.type !== 'verdict') continue;
      if (step.verdict.kind === 'log-intact' && ++seen === 7) end.abort('SIGTERM');
      memory.judged(step.verdict.kind, outcomeOf(step.verdict.kind), step.verdict.subject);
    }
    expect(memory.end().map(({ kind }) => kind)).toEqual(['checkpoint-continuous']);
    await memory.save();
    const [reached = ''] = await through();
    expect(reached > hour(6) && reached < hour(10)).toBe(true);
  });

  it('removed by somebody: inconclusive, not a first run', async () => {
    await rm(state, { recursive: true });
    expect((await night(SIX.hours(10))).told).toEqual(['checkpoint-absent']);
    expect(await readdir(root)).not.toContain(state);
  });

  it('another run in the meantime: this one writes nothing and says so', async () => {
    const store = fileStore(state);
    const slow = await recall({ store, init: false, now: START + 12 * HOUR, inScope: () => true });
    const built = SIX.hours(10).build();
    for await (const step of stepsOf({
      ...requestFor(built),
      range: { start: slow.start, end: built.range.end },
      watch: slow.read,
    })) {
      if (step.type === 'verdict') slow.judged(step.verdict.kind, outcomeOf(step.verdict.kind), step.verdict.subject);
    }
    slow.end();
    await night(SIX.hours(9));
    expect(await slow.save()).toEqual([expect.stringContaining('another run has written it in the meantime')]);
    expect(await through()).toEqual([hour(9)]);
  });

  it('a chain the run does not look at is not missed', async () => {
    const memory = await recall({
      store: fileStore(state),
      init: false,
      now: START,
      inScope: ({ region }) => region === 'eu-west-1',
    });
    expect(memory.start).toBeNull();
    expect(memory.end()).toEqual([]);
  });

  it.each(['', '{}', 'not json'])('a checkpoint that is none stops the run: %j', async (content) => {
    const name = checkpointName(SIX.build().chain);
    await writeFile(join(state, name), content);
    await expect(night(SIX)).rejects.toThrow('is not a checkpoint of the chain it is named for');
  });

  it('the checkpoint of another chain under this name stops the run', async () => {
    const name = checkpointName(SIX.build().chain);
    const text = await readFile(join(state, name), 'utf8');
    await writeFile(join(state, name), text.replace('"us-east-1"', '"eu-west-1"'));
    await expect(night(SIX)).rejects.toThrow('is not a checkpoint of the chain it is named for');
  });
});

it('a copy whose objects carry no signatures is remembered by its hashes', async () => {
  await night(SIX.stripMetadata(), { init: true, waive: ({ kind }) => kind === 'digest-unsigned' });
  expect(await checkpoints()).toMatchObject([{ digest: { signature: null, endTime: hour(5) } }]);
  expect((await night(SIX)).told).toEqual(['checkpoint-continuous']);
});

it('a backfill digest between a digest and its logs does not settle it', async () => {
  const built = SIX.build();
  const source = sourceOf(built);
  const entries: DigestEntry[] = [];
  for await (const _ of stepsOf({ ...requestFor(built, source), watch: (entry) => entries.push(entry) }));
  const [one, two] = entries;
  if (one === undefined || two === undefined) throw new Error('no entries');
  const memory = followChain(built.chain, null, START);
  memory.read(one);
  memory.read(two);
  memory.judged('digest-signed', 'pass', one.subject);
  memory.judged('digest-signed', 'pass', two.subject);
  memory.judged('digest-signed', 'pass', { ...two.subject, key: 'x_backfill.json.gz' });
  memory.judged('log-unreadable', 'inconclusive', { ...two.subject, type: 'log', key: 'log' });
  expect(memory.end(true).next?.digest.key).toBe(one.key.key);
});
