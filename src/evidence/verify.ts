import type { X509Certificate } from 'node:crypto';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { duplicateKey } from '../json/duplicate-key.ts';
import type { Finding } from '../report/finding.ts';
import { NotAFile, readRegular } from '../stream/regular-file.ts';
import { digestOf } from './bundle.ts';
import { isTrusted, parseSignedData } from './cms.ts';
import {
  type BundleFile,
  MANIFEST,
  MANIFEST_SIGNATURE,
  MANIFEST_TIMESTAMP,
  type Manifest,
  manifestSchema,
  manifestSum,
  SUMS,
  SUMS_SIGNATURE,
  sumsText,
  UNLISTED,
} from './manifest.ts';
import { evidenceFinding as said } from './meaning.ts';
import { readTimestamp } from './timestamp.ts';

export interface Trust {
  /** Certificates of signers, or of those who issue them; empty: any signature that verifies is told, none demanded. */
  readonly signers: readonly X509Certificate[];
  /** The same for timestamp authorities. */
  readonly authorities: readonly X509Certificate[];
}

const MAX_MANIFEST = 16 * 1024 * 1024;

/** Checks an evidence bundle on disk, with no network. Yields what holds as well as what does not. */
export async function* verifyBundle(directory: string, trust: Trust): AsyncGenerator<Finding> {
  const { content, finding } = await readOwn(directory, MANIFEST);
  if (finding !== null) {
    yield finding;
    return;
  }
  if (content === null) {
    yield said('evidence-manifest-absent', MANIFEST, `there is no ${MANIFEST} in ${directory}`);
    return;
  }
  const manifest = parseManifest(content);
  if (manifest === null) {
    yield said('evidence-manifest-malformed', MANIFEST, `${MANIFEST} is not one that trailseal wrote`);
    return;
  }
  for (const file of manifest.files) yield await checkFile(directory, file);
  yield* unlisted(directory, manifest);
  const sums = await readOwn(directory, SUMS);
  if (sums.finding !== null) yield sums.finding;
  else yield* checkSums(sums.content, content, manifest);
  const clock = Date.parse(manifest.clock);
  const signature = await readOwn(directory, MANIFEST_SIGNATURE);
  if (signature.finding !== null) yield signature.finding;
  else yield* checkSignature(signature.content, MANIFEST_SIGNATURE, content, trust.signers, clock);
  const sumsSignature = await readOwn(directory, SUMS_SIGNATURE);
  if (sumsSignature.finding !== null) yield sumsSignature.finding;
  else if (sumsSignature.content !== null && sums.finding === null) {
    const covered = sums.content ?? Buffer.alloc(0);
    yield* checkSignature(sumsSignature.content, SUMS_SIGNATURE, covered, trust.signers, clock);
  }
  const timestamp = await readOwn(directory, MANIFEST_TIMESTAMP);
  if (timestamp.finding !== null) yield timestamp.finding;
  else yield* checkTimestamp(timestamp.content, content, trust.authorities);
  yield* checkRun(manifest);
}

async function checkFile(directory: string, { path, sha256, bytes }: BundleFile): Promise<Finding> {
  let found: { readonly bytes: number; readonly sha256: string };
  try {
    const parts = path.split('/');
    for (let depth = 1; depth <= parts.length; depth++) {
      const linked = await judgeLink(join(directory, ...parts.slice(0, depth)), path);
      if (linked !== null) return linked;
    }
    found = await digestOf(join(directory, ...parts));
  } catch (error) {
    return isAbsent(error)
      ? said('evidence-file-missing', path, 'is listed and not there', { expected: sha256 })
      : notRead(error, path);
  }
  if (found.sha256 === sha256) return said('evidence-file-intact', path, 'is as it was listed');
  const message = `its SHA-256 is ${found.sha256}, ${sha256} was listed`;
  return said('evidence-file-altered', path, message, {
    expected: sha256,
    found: found.sha256,
    bytes: found.bytes,
    expectedBytes: bytes,
  });
}

async function* unlisted(directory: string, manifest: Manifest): AsyncGenerator<Finding> {
  const listed = new Set(manifest.files.map(({ path }) => path));
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(directory, '/').length));
  for (const path of paths.sort()) {
    if (listed.has(path) || UNLISTED.has(path)) continue;
    yield said('evidence-file-unlisted', path, 'is not part of the evidence: nothing lists it');
  }
}

function* checkSums(sums: Buffer | null, content: Buffer, manifest: Manifest): Generator<Finding> {
  if (sums === null) {
    yield said('evidence-file-missing', SUMS, 'is not there');
    return;
  }
  const whole = sums.equals(Buffer.from(sumsText([...manifest.files, manifestSum(content)])));
  yield whole
    ? said('evidence-file-intact', SUMS, `lists what ${MANIFEST} lists`)
    : said('evidence-file-altered', SUMS, `does not list what ${MANIFEST} lists`);
}

function* checkSignature(
  der: Buffer | null,
  name: string,
  content: Buffer,
  trusted: readonly X509Certificate[],
  clock: number,
): Generator<Finding> {
  if (der === null) {
    // Without a signature anybody can list new hashes: fine where nobody asked for one, not where somebody did.
    yield said(trusted.length > 0 ? 'evidence-signature-missing' : 'evidence-unsigned', name, 'there is no signature');
    return;
  }
  let signed: ReturnType<typeof parseSignedData>;
  try {
    signed = parseSignedData(der);
  } catch {
    yield said('evidence-signature-invalid', name, 'is not a CMS signature');
    return;
  }
  const { signer, certificates } = signed;
  const facts = { signer: oneLine(signer.subject), fingerprint256: signer.fingerprint256 };
  if (!signed.verifies(content)) {
    yield said('evidence-signature-invalid', name, 'the signature does not verify', facts);
    return;
  }
  const signedAt = signed.signingTime ?? clock;
  if (trusted.length > 0 && !isTrusted(signer, certificates, trusted, signedAt)) {
    const why = isTrusted(signer, certificates, trusted, null)
      ? `a certificate was not valid at ${new Date(signedAt).toISOString()}, when it was signed: ${validityOf(signer)}`
      : `${facts.signer} is none of the signers given and issued by none`;
    yield said('evidence-signer-unknown', name, `the signature verifies, but ${why}`, facts);
    return;
  }
  yield said('evidence-signed', name, 'the signature verifies under the certificate enclosed', facts);
  const whose = trusted.length > 0 ? '' : '; whether that is the right one is for the reader to compare (--trust FILE)';
  yield said('evidence-signer', name, `signed by ${facts.signer}, SHA-256 ${facts.fingerprint256}${whose}`, facts);
}

function* checkTimestamp(
  response: Buffer | null,
  content: Buffer,
  trusted: readonly X509Certificate[],
): Generator<Finding> {
  const name = MANIFEST_TIMESTAMP;
  if (response === null) {
    if (trusted.length > 0) yield said('evidence-timestamp-missing', name, 'there is no timestamp');
    return;
  }
  let stamp: ReturnType<typeof readTimestamp>;
  try {
    stamp = readTimestamp(response);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unreadable';
    yield said('evidence-timestamp-invalid', name, reason);
    return;
  }
  const facts = { authority: oneLine(stamp.authority.subject), time: new Date(stamp.time).toISOString() };
  if (!stamp.covers(content)) {
    yield said('evidence-timestamp-invalid', name, 'it does not cover these bytes', facts);
  } else if (trusted.length > 0 && !isTrusted(stamp.authority, stamp.certificates, trusted, stamp.time)) {
    const message = isTrusted(stamp.authority, stamp.certificates, trusted, null)
      ? `a certificate was not valid at ${facts.time}: ${validityOf(stamp.authority)}`
      : `${facts.authority} is none of the authorities given`;
    yield said('evidence-timestamp-invalid', name, message, facts);
  } else {
    yield said('evidence-timestamped', name, 'the timestamp covers these bytes', facts);
    yield said('evidence-time', name, `existed at ${facts.time}, says ${facts.authority}`, facts);
  }
}

/** Evidence may be intact and of a run that failed: that is told, and is not this command's verdict. */
function* checkRun(manifest: Manifest): Generator<Finding> {
  const { complete, exitCode, clock, command } = manifest;
  yield said('evidence-run', MANIFEST, `evidence of ${command} at ${clock}, exit code ${exitCode}`, { exitCode });
  if (!complete) yield said('evidence-run-incomplete', MANIFEST, 'the run was cut short');
}

function parseManifest(content: Buffer): Manifest | null {
  try {
    const json = content.toString('utf8');
    const value: unknown = JSON.parse(json);
    return duplicateKey(json, value) === null ? manifestSchema.parse(value) : null;
  } catch {
    return null;
  }
}

/** A file that describes the bundle; neither content nor finding where it is not there. */
async function readOwn(
  directory: string,
  name: string,
): Promise<{ readonly content: Buffer | null; readonly finding: Finding | null }> {
  try {
    const path = join(directory, name);
    const finding = await judgeLink(path, name);
    if (finding !== null) return { content: null, finding };
    // None that trailseal wrote is so large, and so none of them reads as nothing.
    return { content: (await readRegular(path, MAX_MANIFEST)) ?? Buffer.alloc(0), finding: null };
  } catch (error) {
    return { content: null, finding: isAbsent(error) ? null : notRead(error, name) };
  }
}

/** A link would let the bundle vouch for bytes that are not in it. */
async function judgeLink(path: string, name: string): Promise<Finding | null> {
  const status = await lstat(path);
  return status.isSymbolicLink()
    ? said('evidence-file-altered', name, 'is a symbolic link, not a file of the bundle')
    : null;
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

function notRead(error: unknown, name: string): Finding {
  if (error instanceof NotAFile) return said('evidence-file-altered', name, 'is a pipe or a device, not a file');
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'error';
  return said('evidence-file-unreadable', name, `could not be read (${code})`);
}

function validityOf({ subject, validFrom, validTo }: X509Certificate): string {
  const [from, to] = [validFrom, validTo].map((time) => new Date(time).toISOString());
  return `that of ${oneLine(subject)} is from ${from} to ${to}`;
}

/** A distinguished name on one line, as Node gives it on several. */
function oneLine(name: string): string {
  return name.split('\n').join(', ');
}
