import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Signer, signer } from '../../src/demo/signer.ts';

/** A CloudTrail Lake query result under construction: its files by name, the sign file among them. */
export interface QueryResult {
  readonly files: Map<string, Buffer>;
  readonly signer: Signer;
}

export interface SignFileJson {
  version: string;
  region: string;
  files: { fileHashValue: string; fileName: string }[];
  hashAlgorithm: string;
  signatureAlgorithm: string;
  queryCompleteTime: string;
  hashSignature: string;
  publicKeyFingerprint: string;
}

const SIGN_FILE = 'result_sign.json';

export function queryResult({ files = 2, key = 'lake' } = {}): QueryResult {
  const result: QueryResult = { files: new Map(), signer: signer(key) };
  const names = Array.from({ length: files }, (_, i) => `result_${i + 1}.csv.gz`);
  for (const name of names) result.files.set(name, gzipSync(`eventName,eventTime\n${name},2026-03-01\n`));
  const hashes = names.map((name) =>
    createHash('sha256')
      .update(result.files.get(name) ?? '')
      .digest('hex'),
  );
  const sign: SignFileJson = {
    version: '1.0',
    region: 'us-east-1',
    files: names.map((fileName, i) => ({ fileHashValue: hashes[i] ?? '', fileName })),
    hashAlgorithm: 'SHA-256',
    signatureAlgorithm: 'SHA256withRSA',
    queryCompleteTime: '2026-03-01T12:00:00Z',
    hashSignature: result.signer.sign(hashes.join(' ')),
    publicKeyFingerprint: result.signer.fingerprint,
  };
  result.files.set(SIGN_FILE, Buffer.from(JSON.stringify(sign, null, 2)));
  return result;
}

/** Changes the sign file; the signature stays what it was unless the change sets another. */
export function editSignFile({ files }: QueryResult, change: (sign: SignFileJson) => unknown): void {
  const sign = JSON.parse(String(files.get(SIGN_FILE))) as SignFileJson;
  const changed = change(sign);
  files.set(SIGN_FILE, Buffer.from(typeof changed === 'string' ? changed : JSON.stringify(changed)));
}

export function writeResult(directory: string, { files }: QueryResult): void {
  mkdirSync(directory, { recursive: true });
  for (const [name, body] of files) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), body);
  }
}

/** As `aws cloudtrail list-public-keys` prints the keys. */
export function keyFile({ signer: { publicDer, fingerprint } }: QueryResult): string {
  const validity = { ValidityStartTime: '2026-02-20T00:00:00Z', ValidityEndTime: '2026-03-20T00:00:00Z' };
  return JSON.stringify({
    PublicKeyList: [{ Value: publicDer.toString('base64'), Fingerprint: fingerprint, ...validity }],
  });
}
