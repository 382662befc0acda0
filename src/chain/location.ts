/**
 * The key grammar of CloudTrail's tree (spec "integrity", 1.5):
 *
 *   [prefix/]AWSLogs/[o-xxxx/]{account}/CloudTrail-Digest/{region}/{YYYY}/{MM}/{DD}/
 *     {account}_CloudTrail-Digest_{region}_{trail}_{homeRegion}_{YYYYMMDDTHHMMSSZ}[_backfill].json.gz
 *   [prefix/]AWSLogs/[o-xxxx/]{account}/CloudTrail/{region}/{YYYY}/{MM}/{DD}/
 *     {account}_CloudTrail_{region}_{YYYYMMDDTHHmmZ}_{16 alphanumerics}.json.gz
 *
 * Trail names may hold underscores, so a name is read from the right. A key either fits as a whole or is foreign.
 */

export interface Chain {
  /** Everything before `CloudTrail-Digest/`: `[prefix/]AWSLogs/[o-xxxx/]{account}/`. */
  readonly root: string;
  readonly account: string;
  readonly region: string;
  readonly trail: string;
  readonly homeRegion: string;
  /** Backfill digests form a chain of their own. */
  readonly backfill: boolean;
}

export interface DigestKey {
  readonly chain: Chain;
  readonly key: string;
  /** End of the digest's window as its name says it, epoch milliseconds. */
  readonly endTime: number;
}

export interface LogKey {
  readonly root: string;
  readonly account: string;
  readonly region: string;
  /** The minute in the name, epoch milliseconds: some minutes before or after delivery, never exactly it. */
  readonly nameTime: number;
  /** `YYYY/MM/DD` of the folder; name and folder can fall on two sides of midnight. */
  readonly day: string;
}

const REGION = '[a-z]{2,4}(?:-[a-z]+)+-\\d{1,2}';
const ROOT = '((?:.*/)?AWSLogs/(?:o-[a-z0-9]+/)?(\\d{12})/)';
const DAY = '(\\d{4})/(\\d{2})/(\\d{2})';
const DIGEST = new RegExp(
  `^${ROOT}CloudTrail-Digest/(${REGION})/${DAY}/\\2_CloudTrail-Digest_\\3_([A-Za-z0-9._-]{3,128})_(${REGION})_(\\d{8}T\\d{6}Z)(_backfill)?\\.json\\.gz$`,
  's',
);
/** A log key up to its minute; many logs share that, so it is parsed once for them. */
const LOG_STEM = new RegExp(`^${ROOT}CloudTrail/(${REGION})/${DAY}/\\2_CloudTrail_\\3_(\\d{8}T\\d{4}Z)$`, 's');
const LOG_END = /^_[A-Za-z0-9]{16}\.json\.gz$/;
const LOG_END_LENGTH = '_0123456789abcdef.json.gz'.length;

/** Digests are hourly; milliseconds. */
export const HOUR = 3_600_000;
const DAY_MS = 24 * HOUR;

export const REGION_NAME = new RegExp(`^${REGION}$`);
export const ACCOUNT_ID = /^\d{12}$/;
export const ORGANIZATION_ID = /^o-[a-z0-9]+$/;

/** `YYYY-MM-DDTHH:MM:SSZ`, nothing else → epoch milliseconds; `null` when it names no instant. */
export function parseTime(text: string): number | null {
  const [, y, mo, d, h, mi, s] = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})Z$/.exec(text) ?? [];
  return instant(y, mo, d, h, mi, s);
}

/** Digits of a UTC time → epoch milliseconds. A million keys are parsed, so no text is made to compare with. */
function instant(...digits: (string | undefined)[]): number | null {
  const [y = Number.NaN, mo = Number.NaN, d = Number.NaN, h = 0, mi = 0, s = 0] = digits.map(Number);
  const ms = Date.UTC(y, mo - 1, d, h, mi, s);
  // 02-31 rolls over into March, and the years before 100 into another century.
  const isReal = d > 0 && d <= 31 && h < 24 && mi < 60 && s < 60 && mo > 0 && mo <= 12 && y >= 100;
  return isReal && new Date(ms).getUTCDate() === d ? ms : null;
}

/** Epoch milliseconds → `YYYY-MM-DDTHH:MM:SSZ`. */
export function formatTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** `YYYYMMDDTHHMM[SS]Z` → epoch milliseconds; `null` when it names no instant. */
function parseNameTime(text: string): number | null {
  const [, y, mo, d, h, mi, s] = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})?Z$/.exec(text) ?? [];
  return instant(y, mo, d, h, mi, s ?? '00');
}

/** `YYYY/MM/DD` of the UTC day. */
export function dayPath(ms: number): string {
  return formatTime(ms).slice(0, 10).replaceAll('-', '/');
}

export function parseDigestKey(key: string): DigestKey | null {
  const m = DIGEST.exec(key);
  if (!m) return null;
  const [, root = '', account = '', region = '', y, mo, d, trail = '', homeRegion = '', time = '', backfill] = m;
  const endTime = parseNameTime(time);
  if (endTime === null || dayPath(endTime) !== `${y}/${mo}/${d}`) return null;
  return { chain: { root, account, region, trail, homeRegion, backfill: backfill !== undefined }, key, endTime };
}

/** `null` too where name and folder are of days that are no neighbours: such an object belongs to no hour. */
export function parseLogKey(key: string): LogKey | null {
  if (!LOG_END.test(key.slice(-LOG_END_LENGTH))) return null;
  const stem = key.slice(0, -LOG_END_LENGTH);
  const known = stems.get(stem);
  if (known !== undefined) return known;
  const parsed = parseLogStem(stem);
  if (stems.size >= MAX_STEMS) stems.clear();
  stems.set(stem, parsed);
  return parsed;
}

const stems = new Map<string, LogKey | null>();
/** Some hours of a Region, or some minutes of an organization. */
const MAX_STEMS = 512;

function parseLogStem(stem: string): LogKey | null {
  const m = LOG_STEM.exec(stem);
  if (!m) return null;
  const [, root = '', account = '', region = '', y, mo, d, time = ''] = m;
  const nameTime = parseNameTime(time);
  const folder = instant(y, mo, d);
  if (nameTime === null || folder === null || nameTime < folder - DAY_MS || nameTime >= folder + 2 * DAY_MS)
    return null;
  return { root, account, region, nameTime, day: `${y}/${mo}/${d}` };
}

/** The folder that holds the digests of all trails of one account and Region. */
export function digestFolder(root: string, region: string): string {
  return `${root}CloudTrail-Digest/${region}/`;
}

export function logFolder(root: string, region: string): string {
  return `${root}CloudTrail/${region}/`;
}

/** The key under which the chain's digest of the hour ending then must lie. */
export function digestKey(chain: Chain, endTime: number): string {
  const { root, account, region, trail, homeRegion } = chain;
  const time = formatTime(endTime).replace(/[-:]/g, '');
  const suffix = chain.backfill ? '_backfill' : '';
  const name = `${account}_CloudTrail-Digest_${region}_${trail}_${homeRegion}_${time}${suffix}.json.gz`;
  return `${digestFolder(root, region)}${dayPath(endTime)}/${name}`;
}

/** Equal for two chains exactly when they are the same. */
export function chainId(chain: Chain): string {
  const { root, region, trail, homeRegion, backfill } = chain;
  return [root, region, trail, homeRegion, backfill ? 'backfill' : ''].join('|');
}
