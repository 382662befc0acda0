import { fork, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * @typedef {object} Run
 * @property {number} seconds   from start to end of the process
 * @property {number} peakMb
 * @property {number} cpuSeconds
 * @property {number} exitCode
 * @property {string} out
 * @property {string} err
 */

const HERE = new URL('.', import.meta.url).pathname;
/**
 * The same for both programs, and nothing of whoever runs the bench: a `NODE_EXTRA_CA_CERTS` alone costs Node 50 ms a start.
 * Any credentials do.
 */
const { PATH, HOME } = process.env;
const ENVIRONMENT = {
  PATH,
  HOME,
  AWS_ACCESS_KEY_ID: 'bench',
  AWS_SECRET_ACCESS_KEY: 'bench',
  AWS_REGION: 'us-east-1',
  AWS_DEFAULT_REGION: 'us-east-1',
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  AWS_EC2_METADATA_DISABLED: 'true',
};

/** Starts a server over the set. @param {{ folder: string, latencyMs?: number, rate?: number }} options */
export async function startServer(options) {
  const child = fork(join(HERE, 'server.mjs'), [JSON.stringify(options)]);
  const said = () => new Promise((resolve) => child.once('message', resolve));
  const { port } = await said();
  return {
    url: `http://127.0.0.1:${port}`,
    /** What was asked since the last time. */
    counts: () => {
      const answer = said();
      child.send('counts');
      return answer;
    },
    stop: () => new Promise((resolve) => child.once('exit', resolve) && child.disconnect()),
  };
}

const TRAILSEAL = join(HERE, '../bin/trailseal.js');

/** Runs trailseal as a user would. @param {readonly string[]} argv @returns {Promise<Run>} */
export async function trailseal(argv, { program = TRAILSEAL } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'trailseal-bench-'));
  const usage = join(folder, 'usage.json');
  try {
    const node = ['--import', join(HERE, 'usage.mjs'), program];
    const run = await measure(process.execPath, [...node, ...argv], { BENCH_USAGE: usage });
    const { cpuMs, peakKb } = JSON.parse(readFileSync(usage, 'utf8'));
    return { ...run, cpuSeconds: cpuMs / 1000, peakMb: peakKb / 1024 };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The reference, or `null` where it is not on the PATH. @param {readonly string[]} argv @returns {Promise<Run | null>} */
export async function awsCli(argv, url) {
  try {
    return await measure('aws', argv, { AWS_ENDPOINT_URL: url });
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}

function measure(command, argv, environment) {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(command, argv, { env: { ...ENVIRONMENT, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] });
    const [out, err] = [[], []];
    child.stdout.on('data', (chunk) => out.push(chunk));
    child.stderr.on('data', (chunk) => err.push(chunk));
    let peakMb = Number.NaN;
    const look = setInterval(() => {
      peakMb = peakOf(child.pid) ?? peakMb;
    }, 100);
    child.on('error', (error) => {
      clearInterval(look);
      reject(error);
    });
    child.on('close', (exitCode) => {
      clearInterval(look);
      const seconds = (performance.now() - started) / 1000;
      resolve({
        seconds,
        peakMb,
        cpuSeconds: Number.NaN,
        exitCode,
        out: `${Buffer.concat(out)}`,
        err: `${Buffer.concat(err)}`,
      });
    });
  });
}

function peakOf(pid) {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return undefined;
  }
}
