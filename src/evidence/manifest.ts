import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { RunHeader, Summary } from '../report/report.ts';

export const MANIFEST = 'evidence.json';
export const MANIFEST_SIGNATURE = 'evidence.json.p7s';
export const MANIFEST_TIMESTAMP = 'evidence.json.tsr';
/** The files of the bundle as `sha256sum` prints them, so that an auditor needs no tool of ours. */
export const SUMS = 'SHA256SUMS';
export const SUMS_SIGNATURE = 'SHA256SUMS.p7s';
/** What describes the bundle and hence cannot be listed in it. */
export const UNLISTED: ReadonlySet<string> = new Set([
  MANIFEST,
  MANIFEST_SIGNATURE,
  MANIFEST_TIMESTAMP,
  SUMS,
  SUMS_SIGNATURE,
]);

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** A path inside the bundle: relative, with `/`, without a way out. */
const path = z
  .string()
  .max(1024)
  .refine((text) => text.split('/').every((part) => part !== '' && part !== '.' && part !== '..'), 'leads out')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: names with them could not be listed for sha256sum
  .refine((text) => !/[\\\u0000-\u001f\u007f]/.test(text), 'holds a backslash or a control character');

const file = z.object({
  path,
  role: z.enum(['output', 'input']),
  name: z.string(),
  bytes: z.int().min(0),
  sha256,
});

/** `evidence.json`: what a run was, what it came to, and the hash of everything it read and wrote. */
export const manifestSchema = z.object({
  v: z.literal(1),
  tool: z.literal('trailseal'),
  version: z.string(),
  command: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  identity: z.string().nullable(),
  window: z.object({ start: z.string(), end: z.string() }).nullable(),
  clock: z.iso.datetime(),
  complete: z.boolean(),
  exitCode: z.int(),
  outcomes: z.record(z.string(), z.int()),
  verdicts: z.record(z.string(), z.int()),
  chains: z.array(
    z.object({
      account: z.string(),
      region: z.string(),
      trail: z.string(),
      from: z.string().nullable(),
      to: z.string().nullable(),
      digests: z.int(),
      logs: z.int(),
      bytes: z.int(),
    }),
  ),
  /** Files in the bundle; without a report there is nothing that it could be evidence of. */
  files: z.array(file).min(1),
  /** Hashes of what the run read and the bundle does not hold. */
  inputs: z.record(z.string(), sha256),
});

export type Manifest = z.infer<typeof manifestSchema>;
export type BundleFile = z.infer<typeof file>;

export function manifestOf(run: RunHeader, summary: Summary, files: readonly BundleFile[]): Manifest {
  const held = new Set(files.filter(({ role }) => role === 'input').map(({ name }) => name));
  return {
    v: 1,
    tool: run.tool,
    version: run.version,
    command: run.command,
    arguments: { ...run.arguments },
    identity: run.identity,
    window: run.window,
    clock: run.clock,
    complete: summary.complete,
    exitCode: summary.exitCode,
    outcomes: { ...summary.outcomes },
    verdicts: { ...summary.verdicts },
    chains: summary.chains.map(({ account, region, trail, from, to, digests, logs, bytes }) => ({
      account,
      region,
      trail,
      from,
      to,
      digests,
      logs,
      bytes,
    })),
    files: [...files].sort((a, b) => (a.path < b.path ? -1 : 1)),
    inputs: Object.fromEntries(Object.entries(run.inputs).filter(([name]) => !held.has(name))),
  };
}

/** `HASH  path` a line, as `sha256sum --check` and `sha256sum path…` have it. */
export function sumsText(files: readonly { readonly path: string; readonly sha256: string }[]): string {
  return files.map((listed) => `${listed.sha256}  ${listed.path}\n`).join('');
}

/** The manifest's own line, the last one in the sums: a signature over the sums covers it too. */
export function manifestSum(content: Uint8Array): { readonly path: string; readonly sha256: string } {
  return { path: MANIFEST, sha256: createHash('sha256').update(content).digest('hex') };
}
