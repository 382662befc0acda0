import { CreateBucketCommand, DeleteObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AwsSettings, s3Client } from '../../src/aws/clients.ts';
import { type S3StoreOptions, s3Store } from '../../src/state/s3-store.ts';
import { type Moto, motoInstalled, startMoto } from '../support/moto.ts';
import { type S3Server, startS3Server } from '../support/s3-server.ts';
import { storeContract } from './store-contract.ts';

const settings = (endpointUrl: string): AwsSettings => ({
  endpointUrl,
  region: 'us-east-1',
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  maxAttempts: 2,
});

describe('the test server', () => {
  let server: S3Server;
  let count = 0;
  beforeAll(async () => {
    server = await startS3Server({ pageSize: 1 });
  });
  afterAll(() => server.close());
  const open = async (prefix = 'state') => {
    const bucket = `state-${count++}`;
    server.addBucket(bucket);
    const client = await s3Client(settings(server.url));
    return { bucket, store: () => s3Store({ client, bucket, prefix }) };
  };

  storeContract(async () => (await open()).store);

  it.each([
    ['state', 'state/a.json'],
    ['state/', 'state/a.json'],
    ['', 'a.json'],
  ])('with the prefix %j the key is %s', async (prefix, key) => {
    const { bucket, store } = await open(prefix);
    await store().save('a.json', Buffer.from('x'), null);
    expect(server.bucket(bucket).find(key)?.object?.body.toString()).toBe('x');
    expect(store().place('a.json')).toBe(`s3://${bucket}/${key}`);
  });

  it('a write whose answer was lost is not taken for another run', async () => {
    const { store } = await open();
    const ours = store();
    expect(await ours.save('a.json', Buffer.from('ours'), null)).toBe(true);
    // What the SDK's retry after a cut connection sends: the same bytes under the same condition, answered 412.
    expect(await ours.save('a.json', Buffer.from('ours'), null)).toBe(true);
    expect(await ours.save('a.json', Buffer.from('others'), null)).toBe(false);
    // Another run that came to the very same was there at the same time all the same.
    expect(await store().save('a.json', Buffer.from('ours'), null)).toBe(false);
  });

  it.each<[string, { status: number; code: string }, string]>([
    ['GetObject', { status: 403, code: 'AccessDenied' }, 'cannot be read (AccessDenied)'],
    ['ListObjectsV2', { status: 403, code: 'AccessDenied' }, 'cannot be listed (AccessDenied)'],
    ['PutObject', { status: 403, code: 'AccessDenied' }, 'cannot be written (AccessDenied)'],
    ['GetObject', { status: 404, code: 'NoSuchBucket' }, 'cannot be read (NoSuchBucket)'],
  ])('%s answered %j is trouble, not absence', async (operation, answer, message) => {
    const { bucket, store } = await open();
    server.fault({ operation, bucket, answer });
    const ask: { [operation: string]: () => Promise<unknown> } = {
      GetObject: () => store().load('a.json'),
      ListObjectsV2: () => store().names(),
      PutObject: () => store().save('a.json', Buffer.from('x'), null),
    };
    await expect(ask[operation]?.()).rejects.toThrow(message);
  });
});

it.each([
  ['comes back to where it was', { IsTruncated: true, NextContinuationToken: 'same' }],
  ['says that there is more and not where', { IsTruncated: true }],
])('a list that %s is not read', async (_, page) => {
  let asked = 0;
  const send = () => {
    // Without this the test would hang where the store does.
    if (++asked > 10) throw new Error('asked without end');
    return Promise.resolve({ ...page, Contents: [{ Key: 'state/a.json' }] });
  };
  const store = s3Store({ client: { send } as unknown as S3StoreOptions['client'], bucket: 'b', prefix: 'state' });
  await expect(store.names()).rejects.toThrow('s3://b/state/ cannot be listed (EndlessPages)');
});

describe.skipIf(!motoInstalled())('moto', () => {
  let moto: Moto;
  beforeAll(async () => {
    moto = await startMoto();
  });
  afterAll(() => moto.stop());
  it('keeps a checkpoint, and refuses a second first run', async () => {
    const client = await s3Client(settings(moto.url));
    await client.send(new CreateBucketCommand({ Bucket: 'audit-state' }));
    const store = s3Store({ client, bucket: 'audit-state', prefix: 'trailseal' });
    expect(await store.save('a.json', Buffer.from('one'), null)).toBe(true);
    expect(await store.save('a.json', Buffer.from('two'), null)).toBe(false);
    expect((await store.load('a.json'))?.bytes.toString()).toBe('one');
    expect(await store.names()).toEqual(['a.json']);
    await client.send(new DeleteObjectCommand({ Bucket: 'audit-state', Key: 'trailseal/a.json' }));
    expect(await store.load('a.json')).toBeNull();
  });
});
