import { z } from 'zod';
import type { ServedKey } from './key-source.ts';

/** Times as the AWS CLI prints them (ISO with any offset) or as the API sends them (epoch seconds). */
const time = z.union([z.number(), z.string()]).transform((value, context) => {
  const ms = typeof value === 'number' ? value * 1000 : Date.parse(value);
  if (Number.isFinite(ms)) return ms;
  context.addIssue({ code: 'custom', message: `not a time: ${value}` });
  return z.NEVER;
});

const served = z
  .object({
    Value: z.base64(),
    Fingerprint: z.string().regex(/^[0-9a-f]{32}$/i, '32 hex digits expected'),
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

/**
 * Reads a file of public keys: `{"PublicKeyList": [...]}` as `aws cloudtrail list-public-keys` prints it, the bare list,
 * or `{region: [keys]}`. Keys of the first two serve every Region. Throws `SyntaxError` or `z.ZodError`.
 */
export function parseSavedKeys(text: string): { region: string | null; key: ServedKey }[] {
  const json: unknown = JSON.parse(text);
  if (Array.isArray(json)) return list.parse(json).map((key) => ({ region: null, key }));
  const answer = z.object({ PublicKeyList: list }).safeParse(json);
  if (answer.success) return answer.data.PublicKeyList.map((key) => ({ region: null, key }));
  if (typeof json === 'object' && json !== null && 'PublicKeyList' in json) throw answer.error;
  const regions = z.record(z.string(), list).parse(json);
  return Object.entries(regions).flatMap(([region, keys]) => keys.map((key) => ({ region, key })));
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
