import { overDirectory, overS3, overThrottled, sideBySide, startUp } from './side-by-side.mjs';
import { trailSet } from './trail-set.mjs';

/**
 * One line of the table. `ratio` is what the target is about.
 * @typedef {object} Line
 * @property {string} row
 * @property {string} work
 * @property {number | null} seconds
 * @property {number | null} rate       objects a second
 * @property {number | null} peerRate   of the AWS CLI
 * @property {number | null} ratio
 * @property {string} target
 * @property {boolean | null} met       `null` where there is nothing to hold it against
 * @property {number | null} peakMb
 * @property {number | null} cpuSeconds
 */

const DAY = { hours: 24, logs: 100, records: 200 };
/** About 20 KB a log file, compressed. */
const SMALL = { hours: 72, logs: 100, records: 200 };
const TINY = { hours: 20, logs: 500, records: 25 };
const MEDIUM = { hours: 30, logs: 100, records: 520 };
const LARGE = { hours: 10, logs: 20, records: 36_000 };
const YEAR = { hours: 8760, logs: 0, records: 0, regions: 17 };
const MANY_TINY = { hours: 40, logs: 500, records: 25 };
/** One night of an organization. */
const ORGANIZATION = { hours: 26, logs: 1, records: 25, regions: 17, accounts: 40 };
/** Peak memory that no run may exceed, MB. */
const MEMORY = 260;

async function against(row, work, plan, { atLeast, latencyMs = 0, cliHours, rounds }) {
  const folder = await trailSet(plan);
  const { ours, peer, ratio } = await sideBySide(folder, rounds, { latencyMs, ...(cliHours && { hours: cliHours }) });
  const target = atLeast === undefined ? '' : `≥ ${atLeast} ×`;
  const met = atLeast === undefined || ratio === null ? null : ratio >= atLeast;
  return line(row, `${work}, ${latencyMs} ms`, ours, { peerRate: peer?.rate ?? null, ratio, target, met });
}

function line(row, work, measured, rest) {
  const { seconds = null, rate = null, peakMb = null, cpuSeconds = null } = measured;
  return { row, work, seconds, rate, peerRate: null, ratio: null, target: '', met: null, peakMb, cpuSeconds, ...rest };
}

/** Every row by its name. @type {Readonly<Record<string, (rounds: number) => Promise<readonly Line[]>>>} */
export const rows = {
  day: async (rounds) => [await against('day', 'a day of 2,400 logs', DAY, { rounds })],
  P1: async (rounds) => [await against('P1', '7,200 logs of ~20 KB', SMALL, { atLeast: 5, rounds })],
  P2: async (rounds) => [
    await against('P2', '7,200 logs of ~20 KB', SMALL, { atLeast: 50, latencyMs: 30, cliHours: 3, rounds }),
  ],
  P3: async (rounds) => {
    const lines = [];
    for (const times of [1, 8]) {
      const folder = await trailSet({ ...SMALL, hours: SMALL.hours * times });
      const { ours, bare, limit, ...shares } = await overDirectory(folder, { rounds });
      const what = `${times} × the same from a directory`;
      const work = `${what}; the limit is ${Math.round(limit)} logs/s`;
      const held = (ratio, than) => ({ ratio, target: `≥ 0.7 of the ${than}`, met: ratio >= 0.7 });
      lines.push(line('P3', work, ours, held(shares.oursOfLimit, 'limit')));
      lines.push(
        line('P3', `${what}, only read, inflated and hashed: the bare program`, bare, { ratio: shares.bareOfLimit }),
      );
      lines.push(line('P3', `${what}, held against the bare program`, {}, held(shares.oursOfBare, 'bare program')));
    }
    return lines;
  },
  P4: async (rounds) => [
    await against('P4', '10,000 tiny logs', TINY, { atLeast: 10, rounds }),
    await against('P4', '3,000 medium logs', MEDIUM, { atLeast: 3, rounds }),
  ],
  sizes: async () => [
    await against('sizes', '200 large logs', LARGE, { rounds: 1 }),
    await against('sizes', '10,000 tiny logs', TINY, { latencyMs: 30, cliHours: 1, rounds: 1 }),
    await against('sizes', '3,000 medium logs', MEDIUM, { latencyMs: 30, cliHours: 3, rounds: 1 }),
    await against('sizes', '200 large logs', LARGE, { latencyMs: 30, cliHours: 5, rounds: 1 }),
  ],
  night: async () => {
    const folder = await trailSet(ORGANIZATION);
    const work = 'a night of an organization: 40 accounts × 17 Regions';
    const at = async (latencyMs) => line('night', `${work}, ${latencyMs} ms`, await overS3(folder, { latencyMs }), {});
    return [await at(0), await at(30)];
  },
  P5: async () => [await against('P5', '148,920 empty digests', YEAR, { atLeast: 10, cliHours: 8760, rounds: 1 })],
  P7: async () => {
    const sizes = [1, 4, 16];
    const runs = [];
    for (const size of sizes) {
      runs.push(await overS3(await trailSet({ ...SMALL, hours: SMALL.hours * size })));
    }
    const [one, four, sixteen] = runs;
    const early = (four.seconds - one.seconds) / 3;
    const late = (sixteen.seconds - four.seconds) / 12;
    const slope = late / early;
    const growth = Math.max(...runs.map(({ peakMb }) => peakMb)) / Math.min(...runs.map(({ peakMb }) => peakMb));
    return [
      ...runs.map((run, i) => line('P7', `${sizes[i]} × P1`, run, {})),
      line(
        'P7',
        'time a log, 4–16 × against 1–4 ×',
        {},
        { ratio: slope, target: '0.85–1.15', met: Math.abs(slope - 1) <= 0.15 },
      ),
      line(
        'P6',
        'peak memory, most against least of these',
        {},
        { ratio: growth, target: '≤ 1.15', met: growth <= 1.15 },
      ),
    ];
  },
  P8: async () => {
    const lines = [];
    for (const option of ['--version', '--help']) {
      const above = await startUp([option]);
      const work = `trailseal ${option}, CPU above bare Node`;
      lines.push(line('P8', work, { seconds: above }, { target: '≤ 0.15 s', met: above <= 0.15 }));
    }
    return lines;
  },
  P9: async () => {
    const folder = await trailSet(MANY_TINY);
    const lines = [];
    for (const [rate, least, most] of [
      [2000, 0.95, 0.05],
      [500, 0.9, Number.POSITIVE_INFINITY],
    ]) {
      const run = await overThrottled(folder, rate);
      const extra = `${(run.extra * 100).toFixed(1)} % extra requests`;
      const target = `≥ ${least} of the rate${most < 1 ? `, ≤ ${most * 100} % extra` : ''}`;
      const met = run.used >= least && run.extra <= most;
      lines.push(line('P9', `20,000 tiny logs, 503 above ${rate}/s; ${extra}`, run, { ratio: run.used, target, met }));
    }
    return lines;
  },
};

/** P6 over all that was measured. @param {readonly Line[]} lines @returns {Line} */
export function peakOf(lines) {
  const peakMb = Math.max(...lines.map((each) => each.peakMb ?? 0));
  return line('P6', 'peak memory of all runs', { peakMb }, { target: `≤ ${MEMORY} MB`, met: peakMb <= MEMORY });
}
