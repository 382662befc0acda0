import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { dayPath, formatTime, HOUR, logFolder } from '../dist/chain/location.js';
import { logContent, nameSuffix } from '../dist/demo/records.js';
import { signer } from '../dist/demo/signer.js';
import { deliverDigest, emptyDigest, gzip, sha256 } from '../dist/demo/world.js';

/**
 * A bucket to measure with, kept in `bench/.cache` since signing takes its time:
 *
 *   bodies.bin   the bodies, one after the other; log files share those of a small pool
 *   index.json   `{ facts, keys, objects: [[key, offset, length, lastModified, metadata | null], …] }`
 *
 * @typedef {object} SetPlan
 * @property {number} hours        digests in each Region
 * @property {number} logs         log files in each hour
 * @property {number} records      events in a log file
 * @property {number} [regions]    1 by default
 * @property {number} [accounts]   1 by default; more are those of an organization
 *
 * @typedef {object} SetFacts
 * @property {string} bucket
 * @property {number} digests
 * @property {number} logs
 * @property {number} start   epoch milliseconds
 * @property {number} end
 * @property {number} storedBytes   of all log files together
 * @property {number} contentBytes  the same, inflated
 */

const CACHE = new URL('.cache/', import.meta.url).pathname;
const BUCKET = 'bench-trail-logs';
const ACCOUNT = '123456789012';
const START = Date.UTC(2025, 0, 1);
const POOL = 64;
const VERSION = 1;
const REGIONS = ['us-east-1', 'us-east-2', 'us-west-1', 'us-west-2', 'af-south-1', 'ap-east-1', 'ap-south-1']
  .concat(['ap-southeast-1', 'ap-southeast-2', 'ap-northeast-1', 'ap-northeast-2', 'ca-central-1', 'eu-central-1'])
  .concat(['eu-west-1', 'eu-west-2', 'eu-north-1', 'sa-east-1']);

/** The folder of the set, built if it is not there yet. @param {SetPlan} plan @returns {Promise<string>} */
export async function trailSet(plan) {
  const { hours, logs, records, regions = 1, accounts = 1 } = plan;
  const many = accounts > 1 ? `-${accounts}a` : '';
  const folder = join(CACHE, `v${VERSION}-${hours}h-${logs}x${records}-${regions}r${many}`);
  if (existsSync(folder)) return folder;
  const next = REGIONS.slice(0, regions);
  const parts = [];
  const work = async () => {
    for (let region = next.shift(); region; region = next.shift()) parts.push(...(await inWorker({ ...plan, region })));
  };
  await Promise.all(Array.from({ length: Math.min(regions, availableParallelism()) }, work));
  const temporary = `${folder}.tmp`;
  rmSync(temporary, { recursive: true, force: true });
  mkdirSync(temporary, { recursive: true });
  write(temporary, parts);
  renameSync(temporary, folder);
  return folder;
}

/** @param {string} folder */
export function readSet(folder) {
  const { facts, keys, objects } = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8'));
  return { /** @type {SetFacts} */ facts, keys, objects, bodies: readFileSync(join(folder, 'bodies.bin')) };
}

function write(folder, parts) {
  const facts = { bucket: BUCKET, digests: 0, logs: 0, start: START, end: START, storedBytes: 0, contentBytes: 0 };
  const bodies = [];
  const objects = [];
  let base = 0;
  for (const part of parts) {
    facts.digests += part.digests;
    facts.logs += part.logs;
    facts.end = part.end;
    facts.storedBytes += part.storedBytes;
    facts.contentBytes += part.contentBytes;
    for (const [key, at, ...rest] of part.objects) objects.push([key, base + at, ...rest]);
    bodies.push(part.bodies);
    base += part.bodies.length;
  }
  objects.sort(([a], [b]) => (a < b ? -1 : 1));
  const keys = Object.fromEntries(parts.map(({ region, key }) => [region, [key]]));
  writeFileSync(join(folder, 'bodies.bin'), Buffer.concat(bodies));
  writeFileSync(join(folder, 'index.json'), JSON.stringify({ facts, keys, objects }));
}

function inWorker(plan) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: plan });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

/** One Region of all accounts, which share its signing key. */
function buildRegion({ accounts = 1, ...plan }) {
  return Array.from({ length: accounts }, (_, i) => {
    const account = String(Number(ACCOUNT) + i);
    return build({ ...plan, account, root: `AWSLogs/${accounts > 1 ? 'o-benchmark/' : ''}${account}/` });
  });
}

/** All digests and log files of one account in one Region. */
function build({ hours, logs, records, region, account, root }) {
  const chain = { root, account, region, trail: 'bench', homeRegion: 'us-east-1' };
  const world = { bucket: BUCKET, chain: { ...chain, backfill: false }, signer: signer(region), objects: new Map() };
  const bodies = [];
  const objects = [];
  let at = 0;
  const keep = (body) => {
    bodies.push(body);
    at += body.length;
    return [at - body.length, body.length];
  };
  const poolSize = Math.min(records > 10_000 ? 4 : POOL, hours * logs);
  const pool = Array.from({ length: poolSize }, (_, i) => {
    const content = logContent(`${region}/${i}`, records, { account, region, time: START });
    return { place: keep(gzip(content)), hash: sha256(content), bytes: content.length };
  });
  let [storedBytes, contentBytes, previous] = [0, 0, null];
  for (let hour = 0; hour < hours; hour++) {
    const start = START + hour * HOUR;
    const digest = emptyDigest(world, start, start + HOUR);
    for (let i = 0; i < logs; i++) {
      const { place, hash, bytes } = pool[(hour * logs + i) % pool.length];
      const delivered = start + Math.floor(((i + 0.5) * HOUR) / logs);
      const minute = `${formatTime(delivered).slice(0, 16).replace(/[-:]/g, '')}Z`;
      const name = `${account}_CloudTrail_${region}_${minute}_${nameSuffix(`${hour}/${i}`)}.json.gz`;
      const key = `${logFolder(chain.root, region)}${dayPath(delivered)}/${name}`;
      objects.push([key, ...place, delivered, null]);
      const times = { newestEventTime: formatTime(delivered), oldestEventTime: formatTime(delivered) };
      digest.logFiles.push({ s3Bucket: BUCKET, s3Object: key, hashValue: hash, hashAlgorithm: 'SHA-256', ...times });
      storedBytes += place[1];
      contentBytes += bytes;
    }
    if (previous) {
      digest.previousDigestS3Bucket = BUCKET;
      digest.previousDigestS3Object = previous.key;
      digest.previousDigestHashValue = previous.hash;
      digest.previousDigestHashAlgorithm = 'SHA-256';
      digest.previousDigestSignature = previous.signature;
    }
    const key = digest.digestS3Object;
    previous = { key, ...deliverDigest(world, digest, world.signer) };
    const { body, metadata, lastModified } = world.objects.get(key);
    world.objects.delete(key);
    objects.push([key, ...keep(body), lastModified, metadata]);
  }
  const validity = {
    ValidityStartTime: formatTime(START - 48 * HOUR),
    ValidityEndTime: formatTime(START + 1e4 * HOUR),
  };
  const key = { Value: world.signer.publicDer.toString('base64'), Fingerprint: world.signer.fingerprint, ...validity };
  const end = START + hours * HOUR;
  return {
    region,
    key,
    end,
    digests: hours,
    logs: hours * logs,
    storedBytes,
    contentBytes,
    objects,
    bodies: Buffer.concat(bodies),
  };
}

if (!isMainThread && workerData?.region) parentPort.postMessage(buildRegion(workerData));
