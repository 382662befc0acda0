import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { signer } from '../../src/demo/signer.ts';
import { parseSignFile, signedBytes } from '../../src/lake/sign-file.ts';
import { editSignFile, keyFile, type QueryResult, queryResult, writeResult } from '../support/query-results.ts';
import { parseJsonl, runCli } from '../support/run-cli.ts';
import { type S3ServerOptions, startS3Server } from '../support/s3-server.ts';
import { servedKeys } from '../support/served-trail.ts';
import { tempDir } from '../support/temp.ts';

/** Spec "conformance", 2.9: results of CloudTrail Lake queries. The reference exits with 252 to 255, trailseal with 1, 2 or 3. */

async function run(...argv: string[]) {
  const { code, out, err } = await runCli(['verify-query-results', ...argv, '--verbose', '--output', 'jsonl=-']);
  const { verdicts = {} } = out === '' ? {} : parseJsonl(out).summary;
  return { code, err, verdicts };
}

const FOLDER = 'AWSLogs/123456789012/CloudTrail-Lake/Query/2026/03/01/5e1b/';

async function onS3({ files, signer: by }: QueryResult, more: S3ServerOptions = {}) {
  const objects = Object.fromEntries([...files].map(([name, body]) => [FOLDER + name, body]));
  const Value = by.publicDer.toString('base64');
  const validity = { ValidityStartTime: '2026-02-20T00:00:00Z', ValidityEndTime: '2026-03-20T00:00:00Z' };
  const publicKeys = servedKeys({ 'us-east-1': [{ Value, Fingerprint: by.fingerprint, ...validity }] });
  const server = await startS3Server({ buckets: { results: { objects } }, publicKeys, ...more });
  onTestFinished(() => server.close());
  const where = ['--s3-bucket', 'results', '--s3-prefix', FOLDER, '--endpoint-url', server.url];
  return { server, judged: await run(...where) };
}

function onDisk(result: QueryResult) {
  const directory = tempDir();
  writeResult(join(directory, 'result'), result);
  writeFileSync(join(directory, 'keys.json'), keyFile(result));
  return run('--local-export-path', join(directory, 'result'), '--public-keys', join(directory, 'keys.json'));
}

function edited(change: Parameters<typeof editSignFile>[1]): QueryResult {
  const result = queryResult();
  editSignFile(result, change);
  return result;
}

const INTACT = { 'lake-signed': 1, 'lake-file-intact': 2 };

it('93: on S3: the sign file, each result and the keys are read once', async () => {
  const { server, judged } = await onS3(queryResult());
  expect(judged).toMatchObject({ code: 0, verdicts: INTACT });
  expect([server.count('GetObject'), server.count('ListPublicKeys')]).toEqual([3, 1]);
});

it('94: a wrong signature', async () => {
  const { judged } = await onS3(edited((sign) => ({ ...sign, hashSignature: 'ab'.repeat(256) })));
  expect(judged).toMatchObject({ code: 1, verdicts: { 'lake-signature-invalid': 1 } });
});

// Differs on purpose: the endpoint serves S3 as well.
it('95: a sign file of 123: nothing of CloudTrail is asked', async () => {
  const { server, judged } = await onS3(edited(() => '123'));
  expect(judged).toMatchObject({ code: 1, verdicts: { 'lake-sign-malformed': 1 } });
  expect([server.count('GetObject'), server.count('ListPublicKeys')]).toEqual([1, 0]);
});

it.each([
  ['96: no place', []],
  ['97: a bucket and a directory', ['--s3-bucket', 'b', '--local-export-path', '.']],
])('%s', async (_title, argv) => {
  expect((await run(...argv)).code).toBe(2);
});

// Differs on purpose: the signature is checked all the same, so that the finding says which of the two is altered.
it('98: a file with another hash', async () => {
  const result = queryResult();
  result.files.set('result_2.csv.gz', Buffer.from('other'));
  const { judged } = await onS3(result);
  expect(judged).toMatchObject({
    code: 1,
    verdicts: { 'lake-signed': 1, 'lake-file-altered': 1, 'lake-file-intact': 1 },
  });
});

it('99: on disk', async () => {
  expect(await onDisk(queryResult())).toMatchObject({ code: 0, verdicts: INTACT });
});

it('100: --endpoint-url is used for CloudTrail', async () => {
  expect((await onS3(queryResult())).server.count('ListPublicKeys')).toBe(1);
});

describe('the sign file', () => {
  it('101: from S3', async () => {
    expect((await onS3(queryResult())).server.count('GetObject', `${FOLDER}result_sign.json`)).toBe(1);
  });

  it('102: that is no JSON', async () => {
    expect(await onDisk(edited(() => '{"files":'))).toMatchObject({ code: 1, verdicts: { 'lake-sign-malformed': 1 } });
  });

  it('103: on disk', () => {
    expect(parseSignFile(queryResult().files.get('result_sign.json') ?? Buffer.alloc(0)).files).toHaveLength(2);
  });
});

describe('the hash of a file', () => {
  it('104: from S3', async () => {
    expect((await onS3(queryResult({ files: 1 }))).judged).toMatchObject({
      code: 0,
      verdicts: { 'lake-file-intact': 1 },
    });
  });

  it('105: on disk', async () => {
    expect(await onDisk(queryResult({ files: 1 }))).toMatchObject({ code: 0, verdicts: { 'lake-file-intact': 1 } });
  });

  it('106: that differs', async () => {
    const result = queryResult();
    result.files.set('result_1.csv.gz', Buffer.from('x'));
    expect(await onDisk(result)).toMatchObject({ code: 1, verdicts: { 'lake-file-altered': 1 } });
  });

  // Differs on purpose: where nothing is signed nothing is proven.
  it('107: of no file', async () => {
    expect(await onDisk(edited((sign) => ({ ...sign, files: [] })))).toMatchObject({
      code: 1,
      verdicts: { 'lake-sign-malformed': 1 },
    });
  });
});

it('108: of two files, the hashes are signed with one space between them', () => {
  const [h1, h2] = ['a'.repeat(64), 'b'.repeat(64)];
  const sign = parseSignFile(
    edited((json) => ({
      ...json,
      files: [
        { fileName: 'result_1.csv.gz', fileHashValue: h1 },
        { fileName: 'result_2.csv.gz', fileHashValue: h2 },
      ],
    })).files.get('result_sign.json') ?? Buffer.alloc(0),
  );
  expect(String(signedBytes(sign))).toBe(`${h1} ${h2}`);
});

// Differs on purpose: a key that cannot be used proves nothing against the result, so inconclusive.
it('109: a key that is none', async () => {
  const Fingerprint = signer('lake').fingerprint;
  const key = { Value: 'YQo=', Fingerprint, ValidityStartTime: 0, ValidityEndTime: 4e9 };
  const { judged } = await onS3(queryResult(), { publicKeys: { 'us-east-1': [key] } });
  expect(judged).toMatchObject({ code: 3, verdicts: { 'lake-key-unknown': 1 } });
});

it.each([
  ['110: a key that is found by its fingerprint', (sign: string) => sign, 0],
  ['111: a key that is not', () => '0'.repeat(32), 3],
] as const)('%s', async (_title, change, code) => {
  const result = edited((sign) => ({ ...sign, publicKeyFingerprint: change(sign.publicKeyFingerprint) }));
  expect((await onS3(result)).judged.code).toBe(code);
});
