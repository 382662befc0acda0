import { s3Source } from '../../src/source/s3.ts';
import { startS3Server } from '../support/s3-server.ts';
import { type ContractObject, sourceContract } from '../support/source-contract.ts';

const KEY = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' };

async function make(getter: 'lean' | 'sdk', objects: readonly ContractObject[]) {
  // Pages of three, so that every listing goes over several.
  const server = await startS3Server({
    buckets: { bucket: {} },
    pageSize: 3,
    secrets: { [KEY.accessKeyId]: KEY.secretAccessKey },
  });
  for (const { key, ...object } of objects)
    server.bucket('bucket').put(key, { ...object, headers: { 'content-encoding': 'gzip' } });
  const source = s3Source({ bucket: 'bucket', endpointUrl: server.url, region: 'us-east-1', credentials: KEY, getter });
  return {
    source,
    dispose: async () => {
      await source.close();
      await server.close();
    },
  };
}

const traits = { locks: true, anyKey: true, versions: true };
sourceContract('S3, the lean way', traits, (objects) => make('lean', objects));
sourceContract('S3, through the SDK', traits, (objects) => make('sdk', objects));
