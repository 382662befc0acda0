import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { formatTime } from '../../src/chain/location.ts';
import { type BuiltTrail, trail } from '../../src/demo/trail.ts';
import { parseSavedKeys } from '../../src/keys/saved-keys.ts';
import { servedKeys } from '../support/built-on-s3.ts';
import { runCli } from '../support/run-cli.ts';
import { type S3Server, startS3Server } from '../support/s3-server.ts';
import { tempDir } from '../support/temp.ts';

let server: S3Server | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const built: BuiltTrail = trail({ region: 'eu-west-1' }).build();
const other: BuiltTrail = trail({ region: 'us-east-1' }).build();
const range = ['--start-time', formatTime(built.range.start), '--end-time', formatTime(built.range.end)];

async function serve(keyPage?: number): Promise<S3Server> {
  server = await startS3Server({
    buckets: { [built.bucket]: { objects: Object.fromEntries([...built.objects, ...other.objects]) } },
    publicKeys: { ...servedKeys(built), ...servedKeys(other) },
    ...(keyPage === undefined ? {} : { keyPage }),
  });
  return server;
}

const fingerprints = (file: string) =>
  parseSavedKeys(readFileSync(file, 'utf8')).map(({ region, key }) => `${region} ${key.fingerprint}`);
const expected = (...trails: BuiltTrail[]) =>
  trails
    .flatMap(({ publicKeys }) => Object.entries(publicKeys))
    .flatMap(([region, keys]) => keys.map(({ Fingerprint }) => `${region} ${Fingerprint}`));

it('saves the keys of the Regions named, in the form that --public-keys reads', async () => {
  const { url } = await serve(1);
  const file = join(tempDir(), 'new', 'keys.json');
  const { code, out, err } = await runCli(['keys', file, '--region', 'eu-west-1', ...range, '--endpoint-url', url]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(/^eu-west-1: \d+ keys of /);
  expect(fingerprints(file)).toEqual(expected(built));
});

it('finds the Regions in a bucket', async () => {
  const { url } = await serve();
  const file = join(tempDir(), 'keys.json');
  const { code } = await runCli(['keys', file, '--s3-bucket', built.bucket, ...range, '--endpoint-url', url]);
  expect(code).toBe(0);
  expect(fingerprints(file)).toEqual(expected(built, other));
});

it('adds to what is there and leaves nothing beside it', async () => {
  const { url } = await serve();
  const directory = tempDir();
  const file = join(directory, 'keys.json');
  const save = (region: string) => runCli(['keys', file, '--region', region, ...range, '--endpoint-url', url]);
  await save('us-east-1');
  await save('eu-west-1');
  const twice = readFileSync(file, 'utf8');
  await save('eu-west-1');
  expect(readFileSync(file, 'utf8')).toBe(twice);
  expect(fingerprints(file)).toEqual(expected(built, other));
  expect(readdirSync(directory)).toEqual(['keys.json']);
});

it('tells a refused Region and a Region without keys, and saves the others', async () => {
  const { url } = await serve();
  const file = join(tempDir(), 'keys.json');
  server?.fault({
    operation: 'ListPublicKeys',
    times: 1,
    answer: { status: 403, code: 'AccessDeniedException' },
  });
  const regions = ['eu-west-1', 'sa-east-1', 'us-east-1'].flatMap((region) => ['--region', region]);
  const { code, err } = await runCli(['keys', file, ...regions, ...range, '--endpoint-url', url]);
  expect(code).toBe(3);
  expect(err).toMatch(/the keys of eu-west-1: .*AccessDenied/);
  expect(err).toContain('the keys of sa-east-1: CloudTrail lists none');
  expect(fingerprints(file)).toEqual(expected(other));
});

it('writes no file when there is no key', async () => {
  const { url } = await serve();
  const file = join(tempDir(), 'keys.json');
  expect((await runCli(['keys', file, '--region', 'sa-east-1', ...range, '--endpoint-url', url])).code).toBe(3);
  expect(existsSync(file)).toBe(false);
});

it.each([
  ['a file of something else', '{"hello": 1}', ['--region', 'eu-west-1'], 'no file of public keys'],
  ['keys without Region', '{"PublicKeyList": [KEY]}', ['--region', 'eu-west-1'], 'without their Region'],
  ['no Region and no bucket', '{}', [], 'say whose keys'],
  ['a Region that is none', '{}', ['--region', 'europe'], '--region europe'],
])('%s is a usage error', async (_name, content, argv, message) => {
  const file = join(tempDir(), 'keys.json');
  const [key] = Object.values(built.publicKeys).flat();
  writeFileSync(file, content.replace('KEY', JSON.stringify(key)));
  const { code, err } = await runCli(['keys', file, ...argv]);
  expect(code).toBe(2);
  expect(err).toContain(message);
});
