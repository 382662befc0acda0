import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { limitOf } from './limit.mjs';
import { awsCli, startServer, trailseal } from './processes.mjs';
import { readSet } from './trail-set.mjs';

/** A run that does not prove everything measures nothing. */
class NotProven extends Error {}

const BARE = new URL('bare.mjs', import.meta.url).pathname;
const HOUR = 3_600_000;
const iso = (ms) => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/**
 * What one subject did: `rate` is objects a second, start-up included.
 * @typedef {{ seconds: number, rate: number, peakMb: number, cpuSeconds: number }} Measured
 */

/** The median of several, by time. @param {readonly Measured[]} runs */
function median(runs) {
  return [...runs].sort((a, b) => a.seconds - b.seconds)[Math.floor((runs.length - 1) / 2)];
}

/** The median of numbers. @param {readonly number[]} numbers */
function middle(numbers) {
  return [...numbers].sort((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)];
}

function summed(runs) {
  return { ...median(runs), peakMb: Math.max(...runs.map(({ peakMb }) => peakMb)) };
}

async function bareRun(facts, directory) {
  const run = await trailseal([directory], { program: BARE });
  if (Number(run.out) !== facts.logs) throw new NotProven(`the bare program: ${run.out}${run.err}`);
  return { ...run, rate: facts.logs / run.seconds };
}

/** Whole bucket, whole range. @returns {Promise<Measured>} */
async function prove(facts, where) {
  const folder = mkdtempSync(join(tmpdir(), 'trailseal-bench-'));
  const report = join(folder, 'report.jsonl');
  try {
    const range = ['--start-time', iso(facts.start), '--end-time', iso(facts.end), '--now', iso(facts.end + HOUR)];
    const run = await trailseal(['verify', ...where, ...range, '--output', `jsonl=${report}`, '--quiet']);
    const summary = JSON.parse(readFileSync(report, 'utf8').trim().split('\n').at(-1));
    const { 'log-intact': logs = 0, 'digest-signed': digests = 0 } = summary.verdicts;
    if (run.exitCode !== 0 || logs !== facts.logs || digests !== facts.digests) {
      throw new NotProven(`exit ${run.exitCode}, ${digests} digests, ${logs} logs\n${run.out}${run.err}`);
    }
    const { seconds, peakMb, cpuSeconds } = run;
    return { seconds, peakMb, cpuSeconds, rate: (facts.logs + facts.digests) / seconds };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** trailseal over S3. @returns {Promise<Measured>} */
export async function overS3(folder, { latencyMs = 0 } = {}) {
  const server = await startServer({ folder, latencyMs });
  try {
    const { facts } = readSet(folder);
    return await prove(facts, s3(facts, server));
  } finally {
    await server.stop();
  }
}

function s3(facts, server) {
  return ['--s3-bucket', facts.bucket, '--endpoint-url', server.url];
}

/**
 * trailseal and the AWS CLI in turn, since the machine's speed changes within minutes. `ratio` is the median of those of
 * the rounds; `peer` and `ratio` are `null` where the AWS CLI is not on the PATH.
 * @returns {Promise<{ ours: Measured, peer: Measured | null, ratio: number | null }>}
 */
export async function sideBySide(folder, rounds, { latencyMs = 0, hours } = {}) {
  const runs = { ours: [], peer: [] };
  for (let round = 0; round < rounds; round++) {
    runs.ours.push(await overS3(folder, { latencyMs }));
    const peer = await byAwsCli(folder, { latencyMs, hours });
    if (peer !== null) runs.peer.push(peer);
  }
  const ours = summed(runs.ours);
  if (runs.peer.length < rounds) return { ours, peer: null, ratio: null };
  const ratio = middle(runs.ours.map(({ rate }, round) => rate / runs.peer[round].rate));
  return { ours, peer: summed(runs.peer), ratio };
}

/**
 * The machine's limit, a bare program that only reads, inflates and hashes a copy on disk, and trailseal over that copy, in
 * turn. The shares are of log files a second, each the median of those of the rounds.
 * @returns {Promise<{ ours: Measured, bare: Measured, limit: number, oursOfLimit: number, bareOfLimit: number, oursOfBare: number }>}
 */
export async function overDirectory(folder, { rounds = 1 } = {}) {
  const { facts, keys, objects, bodies } = readSet(folder);
  const { writeTrail, writePublicKeys } = await import('../dist/demo/write-trail.js');
  const copy = mkdtempSync(join(tmpdir(), 'trailseal-bench-'));
  try {
    const entries = objects.map(([key, at, length, lastModified, metadata]) => [
      key,
      { body: bodies.subarray(at, at + length), lastModified, metadata: metadata ?? {} },
    ]);
    writeTrail(join(copy, 'bucket'), { objects: new Map(entries) });
    writePublicKeys(join(copy, 'keys.json'), { publicKeys: keys });
    const where = ['--directory', join(copy, 'bucket'), '--public-keys', join(copy, 'keys.json')];
    const all = await times(rounds, async () => {
      const limit = await limitOf(folder);
      const bare = await bareRun(facts, join(copy, 'bucket'));
      return { limit, bare, ours: await prove(facts, where) };
    });
    const logsOf = ({ seconds }) => facts.logs / seconds;
    const share = (of) => middle(all.map(of));
    return {
      ours: summed(all.map(({ ours }) => ours)),
      bare: summed(all.map(({ bare }) => bare)),
      limit: share(({ limit }) => limit),
      oursOfLimit: share(({ ours, limit }) => logsOf(ours) / limit),
      bareOfLimit: share(({ bare, limit }) => logsOf(bare) / limit),
      oursOfBare: share(({ ours, bare }) => bare.seconds / ours.seconds),
    };
  } finally {
    rmSync(copy, { recursive: true });
  }
}

/**
 * trailseal against a store that refuses what goes over `rate` GETs a second: share of that rate that was used, and
 * refused requests for each object.
 */
export async function overThrottled(folder, rate) {
  const server = await startServer({ folder, rate });
  try {
    const { facts } = readSet(folder);
    const run = await prove(facts, s3(facts, server));
    const { get, refused, firstAt, lastAt } = await server.counts();
    return { ...run, used: (get * 1000) / (lastAt - firstAt) / rate, extra: refused / get };
  } finally {
    await server.stop();
  }
}

/**
 * The AWS CLI over the first `hours` of one Region of the set; `null` where it is not on the PATH. Its start-up is taken
 * off a run that is shorter than the work, in its favour.
 * @returns {Promise<Measured | null>}
 */
async function byAwsCli(folder, { latencyMs = 0, hours } = {}) {
  const { facts, objects } = readSet(folder);
  const end = Math.min(facts.end, facts.start + (hours ?? Number.POSITIVE_INFINITY) * HOUR);
  const isWhole = end === facts.end;
  const inRange = objects.filter(([key, , , lastModified, metadata]) => {
    return key.includes('/us-east-1/') && (metadata === null ? lastModified : lastModified - HOUR / 2) < end;
  });
  const server = await startServer({ folder, latencyMs });
  try {
    const startUp = await awsCli(['--version'], server.url);
    if (startUp === null) return null;
    const range = ['--start-time', iso(facts.start), '--end-time', iso(end)];
    const where = [
      '--trail-arn',
      'arn:aws:cloudtrail:us-east-1:123456789012:trail/bench',
      '--endpoint-url',
      server.url,
    ];
    const run = await awsCli(['cloudtrail', 'validate-logs', ...where, ...range], server.url);
    const [, digests, logs = '0'] =
      /(\d+)\/\d+ digest files valid(?:[\s\S]*?(\d+)\/\d+ log files valid)?/.exec(run.out) ?? [];
    const count = Number(digests) + Number(logs);
    if (run.exitCode !== 0 || !(count > 0))
      throw new NotProven(`the AWS CLI: exit ${run.exitCode}\n${run.out}${run.err}`);
    if (count !== inRange.length) console.error(`the AWS CLI judged ${count} of ${inRange.length} objects`);
    const seconds = run.seconds - (isWhole ? 0 : startUp.seconds);
    return { seconds, peakMb: run.peakMb, cpuSeconds: run.cpuSeconds, rate: count / seconds, count };
  } finally {
    await server.stop();
  }
}

/** CPU seconds of a command above those of Node doing nothing. */
export async function startUp(argv, rounds = 5) {
  const folder = mkdtempSync(join(tmpdir(), 'trailseal-bench-'));
  try {
    const program = join(folder, 'empty.mjs');
    writeFileSync(program, '');
    const least = async (run) => Math.min(...(await times(rounds, run)).map(({ cpuSeconds }) => cpuSeconds));
    const whole = await least(() => trailseal(argv));
    return whole - (await least(() => trailseal([], { program })));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function times(rounds, run) {
  const all = [];
  for (let round = 0; round < rounds; round++) all.push(await run());
  return all;
}
