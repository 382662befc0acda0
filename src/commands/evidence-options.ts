import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Argv } from 'yargs';
import type { Enclosure } from '../evidence/bundle.ts';
import type { Signer } from '../evidence/cms.ts';
import type { RunHeader, Summary } from '../report/report.ts';
import { type Io, UsageError } from './command.ts';
import { graceAfter } from './run-end.ts';

export interface EvidenceGiven {
  readonly evidence?: string | undefined;
  readonly signKey?: string | undefined;
  readonly signCert?: string | undefined;
  readonly tsa?: string | undefined;
  readonly output?: readonly string[] | undefined;
}

/** How long a timestamp authority may take once the run is to end. */
const TO_STAMP_MS = 2_000;

/** The bundle a run is to leave behind. */
export interface EvidencePlan {
  /** The outputs of the run with those that a bundle always holds. */
  readonly output: readonly string[];
  /** Writes it when the reports stand. Returns what could not be added, one line each. */
  write(run: RunHeader, summary: Summary, more: readonly Enclosure[]): Promise<readonly string[]>;
}

export function evidenceOptions(yargs: Argv): Argv {
  return yargs
    .option('evidence', {
      type: 'string',
      requiresArg: true,
      describe: 'directory for an evidence bundle: reports, inputs and their hashes',
    })
    .option('sign-key', { type: 'string', requiresArg: true, describe: 'PEM file: RSA key that signs the bundle' })
    .option('sign-cert', { type: 'string', requiresArg: true, describe: 'PEM file: its certificate, and the chain' })
    .option('tsa', { type: 'string', requiresArg: true, describe: 'address of an RFC 3161 timestamp authority' })
    .implies('sign-key', ['sign-cert', 'evidence'])
    .implies('sign-cert', 'sign-key')
    .implies('tsa', 'evidence');
}

/** Reads the key before the run, so that a mistake in it costs no night. Throws `UsageError`. */
export async function planEvidence(given: EvidenceGiven, io: Io): Promise<EvidencePlan | null> {
  const { evidence: directory, tsa } = given;
  if (directory === undefined) return null;
  if (tsa !== undefined && !/^https?:\/\/./.test(tsa)) {
    throw new UsageError(`--tsa ${tsa}: expected an http or https address`);
  }
  // No request can be made of one, and what says so would print it.
  if (tsa !== undefined && /^[^/]*\/\/[^/]*@/.test(tsa)) {
    throw new UsageError('--tsa: the address holds a name or a password; give it without');
  }
  const signer = await signerOf(given, io);
  const asked = given.output ?? ['text=-'];
  const output = [...asked, `jsonl=${join(directory, 'findings.jsonl')}`, `html=${join(directory, 'report.html')}`];
  let authority = tsa;
  return {
    output,
    async write(run, summary, more) {
      const enclosures = output.flatMap((spec): Enclosure[] => {
        const [name = '', ...path] = spec.split('=');
        return path.join('=') === '-' ? [] : [{ path: path.join('='), role: 'output', name }];
      });
      const bundle = {
        directory,
        run,
        summary,
        enclosures: [...enclosures, ...more],
        signer,
        signedAt: io.now(),
        tsa: authority,
        until: graceAfter(io.interrupt, TO_STAMP_MS),
      };
      const { writeBundle } = await import('../evidence/bundle.ts');
      const { problems } = await writeBundle(bundle);
      // One that did not answer is not asked again for the same run.
      if (problems.length > 0) authority = undefined;
      return problems;
    },
  };
}

async function signerOf({ signKey, signCert }: EvidenceGiven, io: Io): Promise<Signer | undefined> {
  if (signKey === undefined || signCert === undefined) return undefined;
  // One after the other: of two mistakes the first is told, every time.
  const key = await textOf(signKey, 'sign-key');
  const cert = await textOf(signCert, 'sign-cert');
  const { loadSigner, SignerError } = await import('../evidence/cms.ts');
  try {
    return loadSigner(key, cert, io.env['TRAILSEAL_SIGN_KEY_PASSPHRASE']);
  } catch (error) {
    if (error instanceof SignerError) throw new UsageError(`--sign-key ${signKey}: ${error.message}`, { cause: error });
    throw error;
  }
}

async function textOf(file: string, option: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(`--${option} ${file}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}
