import { z } from 'zod';
import { firstIssue } from '../report/issue.ts';
import type { ServedKey } from './key-source.ts';

const TIME = 'expected a time, as ISO 8601 or as seconds since 1970';
/** Times as the AWS CLI prints them (ISO with any offset) or as the API sends them (epoch seconds). */
const time = z.union([z.number(), z.string()], TIME).transform((value, context) => {
  const ms = typeof value === 'number' ? value * 1000 : Date.parse(value);
  if (Number.isFinite(ms)) return ms;
  context.addIssue({ code: 'custom', message: `${TIME}; ${JSON.stringify(value)} is none` });
  return z.NEVER;
});

const served = z
  .object({
    Value: z.base64(),
    Fingerprint: z.string().regex(/^[0-9a-f]{32}$/i, 'expected 32 hex digits'),
    ValidityStartTime: time,
    ValidityEndTime: time,
  })
  .transform(
    (key): ServedKey => ({
      value: Buffer.from(key.Value, 'base64'),
      fingerprint: key.Fingerprint,
      validFrom: key.ValidityStartTime,
      validTo: key.ValidityEndTime,
    }),
  );

const list = z.array(served);

/** The text is no file of public keys; the message says where and what was expected there. */
export class SavedKeysError extends Error {
  override readonly name = 'SavedKeysError';
}

/**
 * Reads a file of public keys: `{"PublicKeyList": [...]}` as `aws cloudtrail list-public-keys` prints it, the bare list,
 * or `{region: [keys]}`. Keys of the first two serve every Region. Throws `SavedKeysError`.
 */
export function parseSavedKeys(text: string): { region: string | null; key: ServedKey }[] {
  const json = jsonOf(text);
  if (Array.isArray(json)) return read(list, json).map((key) => ({ region: null, key }));
  if (typeof json !== 'object' || json === null) {
    throw new SavedKeysError('is no file of public keys: expected what aws cloudtrail list-public-keys prints');
  }
  if ('PublicKeyList' in json) {
    return read(z.object({ PublicKeyList: list }), json).PublicKeyList.map((key) => ({ region: null, key }));
  }
  const regions = read(z.record(z.string(), list), json);
  return Object.entries(regions).flatMap(([region, keys]) => keys.map((key) => ({ region, key })));
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new SavedKeysError('is not JSON', { cause });
  }
}

function read<T>(schema: z.ZodType<T>, json: unknown): T {
  const checked = schema.safeParse(json);
  if (checked.success) return checked.data;
  throw new SavedKeysError(firstIssue(checked.error), { cause: checked.error });
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
