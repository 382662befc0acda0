import type { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Argv } from 'yargs';
import { readCertificates } from '../evidence/cms.ts';
import { verifyBundle } from '../evidence/verify.ts';
import { type Command, type Io, UsageError } from './command.ts';
import type { OutputOptions } from './outputs.ts';
import { reportFindings } from './report-findings.ts';
import { outputOptions } from './shared-options.ts';

interface EvidenceOptions extends OutputOptions {
  readonly directory: string;
  readonly trust?: readonly string[] | undefined;
  readonly trustTsa?: readonly string[] | undefined;
}

export const evidenceCommand: Command = { options, run };

function options(yargs: Argv): Argv {
  return outputOptions(yargs)
    .usage(
      'trailseal evidence verify DIRECTORY [options]\n\nChecks a bundle that --evidence wrote: every file, signature and timestamp. Asks no network.',
    )
    .positional('action', { choices: ['verify'] as const, describe: 'what to do with it' })
    .positional('directory', { type: 'string', describe: 'the directory with evidence.json' })
    .option('trust', {
      type: 'string',
      array: true,
      requiresArg: true,
      describe: 'PEM file: the signer’s certificate, or the one that issued it; then a signature is demanded',
    })
    .option('trust-tsa', {
      type: 'string',
      array: true,
      requiresArg: true,
      describe: 'PEM file for the timestamp authority; then a timestamp is demanded',
    })
    .example('trailseal evidence verify ./evidence', 'hashes, and whatever signature is there')
    .example('trailseal evidence verify ./evidence --trust auditee.pem', 'signed by whom it should be')
    .example(
      'openssl cms -verify -binary -inform DER -purpose any -CAfile auditee.pem -in evidence.json.p7s -content evidence.json',
      'the same without this tool, in the directory',
    );
}

async function run(given: EvidenceOptions, io: Io): Promise<number> {
  const trust = {
    signers: await certificates(given.trust ?? [], 'trust'),
    authorities: await certificates(given.trustTsa ?? [], 'trust-tsa'),
  };
  return reportFindings({
    findings: verifyBundle(given.directory, trust),
    header: { command: 'evidence verify', arguments: { directory: given.directory }, inputs: {} },
    now: io.now(),
    outputs: given,
    io,
  });
}

async function certificates(files: readonly string[], option: string): Promise<X509Certificate[]> {
  const all: X509Certificate[] = [];
  for (const file of files) {
    const found = readCertificates(await text(file, option));
    if (found.length === 0) throw new UsageError(`--${option} ${file}: there is no PEM certificate in it`);
    all.push(...found);
  }
  return all;
}

async function text(file: string, option: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(`--${option} ${file}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}
