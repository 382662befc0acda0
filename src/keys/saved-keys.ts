import type { ServedKey } from './key-source.ts';

/** What is wrong with a file of keys, and where in it: `eu-west-1[0].Fingerprint: expected 32 hex digits`. */
export class SavedKeysError extends Error {
  override readonly name = 'SavedKeysError';
}

interface SavedKey {
  /** `null`: serves every Region. */
  readonly region: string | null;
  readonly key: ServedKey;
}

/**
 * Reads a file of public keys: `{"PublicKeyList": [...]}` as `aws cloudtrail list-public-keys` prints it, the bare list,
 * or `{region: [keys]}`. Keys of the first two serve every Region. Throws `SavedKeysError`. By hand: this is on the way
 * of every offline run, and a schema library takes longer to load than a thousand logs to prove.
 */
export function parseSavedKeys(text: string): SavedKey[] {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new SavedKeysError('is not JSON', { cause });
  }
  if (Array.isArray(json)) return keysOf(json, '').map((key) => ({ region: null, key }));
  if (!isRecord(json)) {
    throw new SavedKeysError('is no file of public keys: expected what aws cloudtrail list-public-keys prints');
  }
  if ('PublicKeyList' in json) {
    return keysOf(json['PublicKeyList'], 'PublicKeyList').map((key) => ({ region: null, key }));
  }
  return Object.entries(json).flatMap(([region, keys]) => keysOf(keys, region).map((key) => ({ region, key })));
}

function isRecord(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

function keysOf(json: unknown, place: string): ServedKey[] {
  if (!Array.isArray(json)) throw new SavedKeysError(`${place}: expected a list of public keys`);
  return json.map((key: unknown, index) => keyOf(key, `${place}[${index}]`));
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const FINGERPRINT = /^[0-9a-f]{32}$/i;

function keyOf(json: unknown, place: string): ServedKey {
  if (!isRecord(json)) throw new SavedKeysError(`${place}: expected a public key`);
  const { Value: value, Fingerprint: fingerprint } = json;
  if (typeof value !== 'string' || !BASE64.test(value)) throw new SavedKeysError(`${place}.Value: expected Base64`);
  if (typeof fingerprint !== 'string' || !FINGERPRINT.test(fingerprint)) {
    throw new SavedKeysError(`${place}.Fingerprint: expected 32 hex digits`);
  }
  return {
    value: Buffer.from(value, 'base64'),
    fingerprint,
    validFrom: timeOf(json['ValidityStartTime'], `${place}.ValidityStartTime`),
    validTo: timeOf(json['ValidityEndTime'], `${place}.ValidityEndTime`),
  };
}

/** As the AWS CLI prints it (ISO with any offset) or as the API sends it (epoch seconds). */
function timeOf(json: unknown, place: string): number {
  const ms = typeof json === 'number' ? json * 1000 : typeof json === 'string' ? Date.parse(json) : Number.NaN;
  if (Number.isFinite(ms)) return ms;
  throw new SavedKeysError(`${place}: expected a time, as ISO 8601 or as seconds since 1970`);
}

/** The file that `parseSavedKeys` reads: `{region: [keys]}`, Regions by name and keys by time. */
export function formatSavedKeys(keys: ReadonlyMap<string, readonly ServedKey[]>): string {
  const regions = [...keys].sort(([a], [b]) => (a < b ? -1 : 1));
  return `${JSON.stringify(Object.fromEntries(regions.map(([region, list]) => [region, inOrder(list).map(json)])), null, 1)}\n`;
}

function inOrder(keys: readonly ServedKey[]): ServedKey[] {
  return [...keys].sort((a, b) => a.validFrom - b.validFrom || (a.fingerprint < b.fingerprint ? -1 : 1));
}

function json({ value, fingerprint, validFrom, validTo }: ServedKey) {
  return {
    Value: value.toString('base64'),
    ValidityStartTime: new Date(validFrom).toISOString(),
    ValidityEndTime: new Date(validTo).toISOString(),
    Fingerprint: fingerprint,
  };
}
