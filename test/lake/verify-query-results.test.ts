import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { signer } from '../../src/demo/signer.ts';
import {
  editSignFile,
  keyFile,
  type QueryResult,
  queryResult,
  type SignFileJson,
  writeResult,
} from '../support/query-results.ts';
import { parseJsonl, runCli } from '../support/run-cli.ts';
import { type S3Server, type S3ServerOptions, startS3Server } from '../support/s3-server.ts';
import { hasShared, sharedPath } from '../support/shared.ts';
import { tempDir } from '../support/temp.ts';

let server: S3Server | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function run(...argv: string[]) {
  const { code, out, err } = await runCli(['verify-query-results', ...argv, '--output', 'jsonl=-']);
  if (out === '') return { code, err, verdicts: {}, findings: [] };
  const { summary, findings } = parseJsonl(out);
  return { code, err, verdicts: summary.verdicts, findings };
}

function judge(result: QueryResult, ...more: string[]) {
  const directory = tempDir();
  writeResult(join(directory, 'result'), result);
  writeFileSync(join(directory, 'keys.json'), keyFile(result));
  return run('--directory', join(directory, 'result'), '--public-keys', join(directory, 'keys.json'), ...more);
}

const FOLDER = 'AWSLogs/123456789012/CloudTrail-Lake/Query/2026/03/01/5e1b/';

async function serve(results: Readonly<Record<string, QueryResult>>, more: S3ServerOptions = {}): Promise<string[]> {
  const objects = Object.entries(results).flatMap(([folder, { files }]) =>
    [...files].map(([name, body]) => [`${folder}${name}`, body] as const),
  );
  const { publicDer, fingerprint } = signer('lake');
  const key = {
    Value: publicDer.toString('base64'),
    Fingerprint: fingerprint,
    ValidityStartTime: Date.parse('2026-02-20') / 1000,
    ValidityEndTime: Date.parse('2026-03-20') / 1000,
  };
  server = await startS3Server({
    buckets: { results: { objects: Object.fromEntries(objects) } },
    publicKeys: { 'us-east-1': [key] },
    ...more,
  });
  return ['--s3-bucket', 'results', '--endpoint-url', server.url];
}

const INTACT = { 'lake-signed': 1, 'lake-file-intact': 2 };
const MALFORMED = { 'lake-sign-malformed': 1, 'lake-file-unattested': 2 };
const INVALID = { 'lake-signature-invalid': 1, 'lake-file-unattested': 2 };
type Change = (result: QueryResult) => void;

function sign(change: (json: SignFileJson) => unknown): Change {
  return (result) => editSignFile(result, change);
}

it('says what the signature does not cover', async () => {
  const { findings } = await judge(queryResult());
  expect(findings.map(({ message }) => message)).toEqual([
    'the signature over the hashes of 2 files verifies; file names, Region, query and time are not signed: only the contents, in their order',
  ]);
});

it('says so in every report', async () => {
  const directory = tempDir();
  const result = queryResult();
  writeResult(join(directory, 'result'), result);
  writeFileSync(join(directory, 'keys.json'), keyFile(result));
  const where = ['--directory', join(directory, 'result'), '--public-keys', join(directory, 'keys.json')];
  for (const format of ['text', 'markdown', 'html', 'jsonl']) {
    const { code, out } = await runCli(['verify-query-results', ...where, '--output', `${format}=-`]);
    expect({ format, code, out }).toEqual({ format, code: 0, out: expect.stringContaining('time are not signed') });
  }
});

it.each([
  ['2026-03-19T23:00:00Z', false],
  ['2035-01-01T00:00:00Z', true],
])('a result of %s, outside the validity of its key: %s', async (queryCompleteTime, isOutside) => {
  const result = queryResult();
  editSignFile(result, (json) => ({ ...json, queryCompleteTime }));
  const { code, findings } = await judge(result);
  expect(code).toBe(0);
  expect(findings[0]?.message.includes('outside the validity of key')).toBe(isOutside);
});

it('a link beside results hides what is behind it, and says nothing of a sign file', async () => {
  const directory = tempDir();
  const result = queryResult();
  writeResult(join(directory, 'all', 'a'), result);
  writeFileSync(join(directory, 'keys.json'), keyFile(result));
  symlinkSync(directory, join(directory, 'all', 'z'));
  const where = ['--directory', join(directory, 'all'), '--public-keys', join(directory, 'keys.json')];
  expect(await run(...where)).toMatchObject({ code: 3, verdicts: { ...INTACT, 'lake-unlisted': 1 } });
});

it.each<[string, number, Record<string, number>, Change]>([
  ['an intact result', 0, INTACT, () => undefined],
  ['a result of one file', 0, INTACT, () => undefined],
  [
    'an altered file',
    1,
    { 'lake-signed': 1, 'lake-file-intact': 1, 'lake-file-altered': 1 },
    ({ files }) => files.set('result_1.csv.gz', Buffer.from('x')),
  ],
  [
    'a missing file',
    1,
    { 'lake-signed': 1, 'lake-file-intact': 1, 'lake-file-missing': 1 },
    ({ files }) => files.delete('result_2.csv.gz'),
  ],
  [
    'a file that is not named',
    1,
    { ...INTACT, 'lake-file-unnamed': 1 },
    ({ files }) => files.set('result_3.csv.gz', Buffer.from('x')),
  ],
  ['files of other names beside it', 0, INTACT, ({ files }) => files.set('README.txt', Buffer.from('x'))],
  [
    'no sign file',
    1,
    { 'lake-sign-missing': 1, 'lake-file-unattested': 2 },
    ({ files }) => files.delete('result_sign.json'),
  ],
  ['nothing', 1, { 'lake-nothing-found': 1 }, ({ files }) => files.clear()],
  [
    'files swapped with their names',
    1,
    { 'lake-signed': 1, 'lake-file-altered': 2 },
    ({ files }) => {
      const [a, b] = [files.get('result_1.csv.gz'), files.get('result_2.csv.gz')];
      if (a && b) files.set('result_1.csv.gz', b).set('result_2.csv.gz', a);
    },
  ],
  [
    'a hash changed',
    1,
    INVALID,
    sign((s) => ({ ...s, files: s.files.map((f) => ({ ...f, fileHashValue: '0'.repeat(64) })) })),
  ],
  ['the order changed', 1, INVALID, sign((s) => ({ ...s, files: s.files.toReversed() }))],
  [
    'a file left out',
    1,
    { 'lake-signature-invalid': 1, 'lake-file-unattested': 1, 'lake-file-unnamed': 1 },
    sign((s) => ({ ...s, files: s.files.slice(1) })),
  ],
  ['the signature changed', 1, INVALID, sign((s) => ({ ...s, hashSignature: '00'.repeat(256) }))],
  [
    'a stranger’s signature',
    1,
    INVALID,
    sign((s) => ({ ...s, hashSignature: signer('stranger').sign(s.files.map((f) => f.fileHashValue).join(' ')) })),
  ],
  [
    'an unknown fingerprint',
    3,
    { 'lake-key-unknown': 1, 'lake-file-unattested': 2 },
    sign((s) => ({ ...s, publicKeyFingerprint: '0'.repeat(32) })),
  ],
  [
    'hashes in capitals, signed in small letters',
    1,
    INVALID,
    sign((s) => ({ ...s, files: s.files.map((f) => ({ ...f, fileHashValue: f.fileHashValue.toUpperCase() })) })),
  ],
  ['a time that is none', 0, INTACT, sign((s) => ({ ...s, queryCompleteTime: 'soon' }))],
  ['no files named', 1, MALFORMED, sign((s) => ({ ...s, files: [] }))],
  ['a file named twice', 1, MALFORMED, sign((s) => ({ ...s, files: [...s.files, s.files[0]] }))],
  ['files is no array', 1, MALFORMED, sign((s) => ({ ...s, files: { length: 1 } }))],
  ['another hash', 1, MALFORMED, sign((s) => ({ ...s, hashAlgorithm: 'SHA-1' }))],
  ['another signature', 1, MALFORMED, sign((s) => ({ ...s, signatureAlgorithm: 'none' }))],
  ['a Region that would be another host', 1, MALFORMED, sign((s) => ({ ...s, region: 'evil.example/us-east-1' }))],
  [
    'a key given twice',
    1,
    MALFORMED,
    sign((s) => JSON.stringify(s).replace('{"fileHashValue"', '{"fileHashValue":"0","fileHashValue"')),
  ],
  ['a number', 1, MALFORMED, sign(() => '123')],
  ['no JSON', 1, MALFORMED, sign(() => '{')],
  ['deep nesting', 1, MALFORMED, sign(() => '['.repeat(200_000))],
])('%s', async (_name, code, verdicts, change) => {
  const result = queryResult();
  change(result);
  const judged = await judge(result);
  expect(judged.verdicts).toEqual(verdicts);
  expect(judged.code).toBe(code);
});

describe('a file name never leads out of the folder', () => {
  it.each(['../secret', '/etc/passwd', 'a/b', '..', '.', '', 'a\\b', 'a\0b', 'x'.repeat(300)])(
    '%j',
    async (fileName) => {
      const result = queryResult();
      editSignFile(result, (s) => ({ ...s, files: [{ ...s.files[0], fileName }, s.files[1]] }));
      expect((await judge(result)).verdicts).toEqual(MALFORMED);
    },
  );

  it('not even through a link', async () => {
    const [directory, result] = [tempDir(), queryResult()];
    writeFileSync(join(directory, 'secret'), result.files.get('result_1.csv.gz') ?? '');
    result.files.delete('result_1.csv.gz');
    writeResult(join(directory, 'result'), result);
    symlinkSync(join(directory, 'secret'), join(directory, 'result', 'result_1.csv.gz'));
    writeFileSync(join(directory, 'keys.json'), keyFile(result));
    const judged = await run('--directory', join(directory, 'result'), '--public-keys', join(directory, 'keys.json'));
    expect(judged.verdicts).toEqual({ 'lake-signed': 1, 'lake-file-intact': 1, 'lake-file-unreadable': 1 });
    expect(judged.code).toBe(3);
  });
});

describe('on S3', () => {
  it('proves every result below the prefix', async () => {
    const where = await serve({ [FOLDER]: queryResult(), [FOLDER.replace('5e1b', '5e1c')]: queryResult({ files: 1 }) });
    const judged = await run(...where, '--s3-prefix', 'AWSLogs/123456789012/CloudTrail-Lake');
    expect(judged).toMatchObject({ code: 0, verdicts: { 'lake-signed': 2, 'lake-file-intact': 3 } });
  });

  it.each([
    ['the listing', { operation: 'ListObjectsV2' }, { ...INTACT, 'lake-unlisted': 1 }],
    [
      'a file',
      { key: `${FOLDER}result_1.csv.gz` },
      { 'lake-signed': 1, 'lake-file-intact': 1, 'lake-file-unreadable': 1 },
    ],
    ['the sign file', { key: `${FOLDER}result_sign.json` }, { 'lake-sign-unreadable': 1, 'lake-file-unattested': 2 }],
    ['the keys', { operation: 'ListPublicKeys' }, { 'lake-key-unknown': 1, 'lake-file-unattested': 2 }],
  ])('%s refused is inconclusive', async (_name, fault, verdicts) => {
    const where = await serve({ [FOLDER]: queryResult() });
    server?.fault({ ...fault, answer: { status: 403, code: 'AccessDenied' } });
    expect(await run(...where, '--s3-prefix', FOLDER)).toMatchObject({ code: 3, verdicts });
  });
});

describe.skipIf(!hasShared)(
  'the result that AWS tests with, whose key has not the fingerprint that the sign file names',
  () => {
    const NAMED = '67b9fa73676d86966b449dd677850753';
    const OWN = 'e00b881a39d15623efee61d0eaf2874a';

    function put(): string[] {
      const directory = tempDir();
      mkdirSync(join(directory, 'result'));
      for (const name of ['result_1.csv.gz', 'result_sign.json']) {
        copyFileSync(sharedPath(`data/lake/${name}`), join(directory, 'result', name));
      }
      const { Value } = JSON.parse(readFileSync(sharedPath('data/lake/sample_public_key.json'), 'utf8')) as {
        Value: string;
      };
      expect(createHash('md5').update(Buffer.from(Value, 'base64')).digest('hex')).toBe(OWN);
      const key = { Value, Fingerprint: NAMED, ValidityStartTime: 0, ValidityEndTime: 4e9 };
      writeFileSync(join(directory, 'keys.json'), JSON.stringify([key]));
      return ['--directory', join(directory, 'result'), '--public-keys', join(directory, 'keys.json')];
    }

    it('is inconclusive, and says under which key it verifies', async () => {
      const { code, verdicts, findings } = await run(...put());
      expect(code).toBe(3);
      expect(verdicts).toEqual({ 'lake-key-unknown': 1, 'lake-file-unattested': 1 });
      expect(findings[0]?.evidence).toMatchObject({ fingerprint: NAMED, verifiesUnder: OWN });
    });

    it('is proven for whoever vouches for that key', async () => {
      const { code, findings } = await run(...put(), '--trust-key', OWN);
      expect(code).toBe(0);
      expect(findings[0]?.message).toContain(`the trust in ${OWN} is yours`);
    });

    it('is not proven by trust in another key', async () => {
      expect((await run(...put(), '--trust-key', NAMED)).code).toBe(3);
    });
  },
);

it.each([
  ['no place', []],
  ['two places', ['--directory', '.', '--s3-bucket', 'b']],
  ['a directory that is not there', ['--directory', 'no/such']],
  ['a prefix without a bucket', ['--directory', '.', '--s3-prefix', 'p']],
  ['a fingerprint that is none', ['--directory', '.', '--trust-key', 'x']],
  ['a Region that is none', ['--directory', '.', '--region', 'here']],
  ['a key file that is not there', ['--directory', '.', '--public-keys', 'no-such.json']],
])('%s exits with 2', async (_name, argv) => {
  expect((await run(...argv)).code).toBe(2);
});
