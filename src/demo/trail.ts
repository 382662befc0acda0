import { dayPath, formatTime, HOUR, logFolder } from '../chain/location.ts';
import * as faults from './faults.ts';
import { logContent, nameSuffix, stopLoggingEvent } from './records.ts';
import { type Signer, signer } from './signer.ts';
import { type DigestJson, deliverDigest, emptyDigest, gzip, type LogFileJson, sha256, type World } from './world.ts';

export interface TrailOptions {
  readonly bucket?: string;
  /** With or without a slash at the end; empty for none. */
  readonly prefix?: string;
  readonly organization?: string;
  readonly account?: string;
  readonly region?: string;
  readonly homeRegion?: string;
  readonly name?: string;
  /** A chain of backfill digests: they name logs that missed their hourly digest. */
  readonly backfill?: boolean;
  /** Start of the first digest's window, epoch milliseconds. */
  readonly start?: number;
  /** Events in a log; 40 make about 4 KB compressed. */
  readonly recordsPerLog?: number;
  readonly signer?: Signer;
  /** The first digest links to the newest of this trail: delivery was moved to another prefix or bucket. */
  readonly follows?: BuiltTrail;
}

/** A bucket as it is now, and what a verifier needs to judge it. */
export interface BuiltBucket extends Pick<World, 'bucket' | 'objects'> {
  /** `{region: [keys]}` as `--public-keys` reads it. */
  readonly publicKeys: PublicKeyFile;
  /** The whole time that digests were delivered for, epoch milliseconds. */
  readonly range: { readonly start: number; readonly end: number };
}

interface Delivered {
  readonly bucket: string;
  readonly key: string;
  readonly hash: string;
  readonly signature: string;
}

/** What `build` gives. */
export interface BuiltTrail extends World, BuiltBucket {
  /** The newest digest as it was delivered, and what its successor repeats of it. */
  readonly newest: Delivered | null;
}

export type PublicKeyFile = Readonly<Record<string, readonly PublicKeyJson[]>>;

export interface PublicKeyJson {
  readonly Value: string;
  readonly Fingerprint: string;
  readonly ValidityStartTime: string;
  readonly ValidityEndTime: string;
}

type Fault = (world: World) => void;
type Verbs = {
  readonly [V in keyof typeof faults]: (typeof faults)[V] extends (world: World, ...args: infer A) => void
    ? (...args: A) => TrailBuilder
    : never;
};

/**
 * Builds a trail as CloudTrail would have delivered it, then does to it what the verbs say, in their order:
 * `trail().hours(6).stopAt(2).alterLog(3).build()`. Hours count from 0. Each verb returns a new builder.
 */
export interface TrailBuilder extends Verbs {
  hours(count: number): TrailBuilder;
  /** Log files in each hour. */
  logs(count: number): TrailBuilder;
  /** Logging stops after that hour, for so many hours; the next digest is a starting digest. No event tells who did it. */
  stopAt(hour: number, pause?: number): TrailBuilder;
  /** The same, and the hour's last log file holds the `StopLogging` event. */
  stopLogging(hour: number, pause?: number): TrailBuilder;
  build(): BuiltTrail;
}

interface Stop {
  readonly pause: number;
  readonly recorded: boolean;
}

interface Plan {
  readonly options: TrailOptions;
  readonly hours: number;
  readonly logs: number;
  readonly stops: ReadonlyMap<number, Stop>;
  readonly faults: readonly Fault[];
}

export function trail(options: TrailOptions = {}): TrailBuilder {
  return builder({ options, hours: 6, logs: 2, stops: new Map(), faults: [] });
}

function builder(plan: Plan): TrailBuilder {
  const verbs = Object.fromEntries(
    Object.entries(faults).map(([name, fault]) => [
      name,
      (...args: unknown[]) => {
        const change: Fault = (world) => (fault as (world: World, ...args: unknown[]) => void)(world, ...args);
        return builder({ ...plan, faults: [...plan.faults, change] });
      },
    ]),
  ) as unknown as Verbs;
  const stop = (hour: number, how: Stop) => builder({ ...plan, stops: new Map([...plan.stops, [hour, how]]) });
  return {
    ...verbs,
    hours: (hours) => builder({ ...plan, hours }),
    logs: (logs) => builder({ ...plan, logs }),
    stopAt: (hour, pause = 1) => stop(hour, { pause, recorded: false }),
    stopLogging: (hour, pause = 1) => stop(hour, { pause, recorded: true }),
    build: () => build(plan),
  };
}

const DEFAULT_START = Date.UTC(2026, 2, 1, 0, 17, 42);

function build({ options, hours, logs, stops, faults: changes }: Plan): BuiltTrail {
  const {
    bucket = 'example-trail-logs',
    prefix = '',
    organization,
    account = '123456789012',
    region = 'us-east-1',
  } = options;
  const { homeRegion = region, name = 'audit', start = DEFAULT_START, recordsPerLog = 5, backfill = false } = options;
  const parts = [prefix.replace(/\/$/, ''), 'AWSLogs', organization ?? '', account].filter((part) => part !== '');
  const chain = { root: `${parts.join('/')}/`, account, region, trail: name, homeRegion, backfill };
  const world: World = {
    bucket,
    chain,
    signer: options.signer ?? signer(`cloudtrail ${region}`),
    objects: new Map(),
    digests: [],
  };

  let time = start;
  let previous: Delivered | null = options.follows?.newest ?? null;
  let newest: Delivered | null = null;
  for (let hour = 0; hour < hours; hour++) {
    const digest: DigestJson = emptyDigest(world, time, time + HOUR);
    const stop = stops.get(hour);
    const lastWords = stop?.recorded ? [stopLoggingEvent(account, region, name, time + HOUR - 60_000)] : [];
    digest.logFiles = Array.from({ length: logs }, (_, i) =>
      deliverLog(world, { index: i, of: logs, start: time }, recordsPerLog, i === logs - 1 ? lastWords : []),
    );
    digest.newestEventTime = digest.logFiles.at(-1)?.newestEventTime ?? null;
    digest.oldestEventTime = digest.logFiles[0]?.oldestEventTime ?? null;
    if (previous) {
      digest.previousDigestS3Bucket = previous.bucket;
      digest.previousDigestS3Object = previous.key;
      digest.previousDigestHashValue = previous.hash;
      digest.previousDigestHashAlgorithm = 'SHA-256';
      digest.previousDigestSignature = previous.signature;
    }
    const key = digest.digestS3Object;
    newest = { bucket, key, ...deliverDigest(world, digest, world.signer) };
    previous = newest;
    world.digests.push({ key, start: time, end: time + HOUR, logs: digest.logFiles.map((log) => log.s3Object) });
    time += HOUR;
    if (stop) {
      time += stop.pause * HOUR;
      previous = null;
    }
  }
  for (const change of changes) change(world);
  return {
    ...world,
    publicKeys: { [region]: [served(world.signer, start, time)] },
    range: { start, end: time },
    newest,
  };
}

interface Slot {
  readonly index: number;
  /** Logs in the hour. */
  readonly of: number;
  /** Start of the hour, epoch milliseconds. */
  readonly start: number;
}

function deliverLog(world: World, { index, of, start }: Slot, records: number, more: readonly object[]): LogFileJson {
  const { root, account, region, trail: name, homeRegion, backfill } = world.chain;
  const delivered = start + Math.floor(((index + 0.5) * HOUR) / of);
  const seed = [root, region, name, homeRegion, backfill ? 'backfill' : '', start, index].join('|');
  const content = logContent(seed, records, { account, region, time: delivered }, more);
  const minute = `${formatTime(delivered).slice(0, 16).replace(/[-:]/g, '')}Z`;
  const key = `${logFolder(root, region)}${dayPath(delivered)}/${account}_CloudTrail_${region}_${minute}_${nameSuffix(seed)}.json.gz`;
  world.objects.set(key, { body: gzip(content), metadata: {}, lastModified: delivered });
  return {
    s3Bucket: world.bucket,
    s3Object: key,
    hashValue: sha256(content),
    hashAlgorithm: 'SHA-256',
    newestEventTime: formatTime(delivered),
    oldestEventTime: formatTime(delivered - 300_000),
  };
}

function served({ publicDer, fingerprint }: Signer, start: number, end: number): PublicKeyJson {
  const day = 24 * HOUR;
  return {
    Value: publicDer.toString('base64'),
    Fingerprint: fingerprint,
    ValidityStartTime: formatTime(start - 10 * day),
    ValidityEndTime: formatTime(end + 10 * day),
  };
}
