import { MemorySource } from '../support/memory-source.ts';
import { sourceContract } from '../support/source-contract.ts';

sourceContract('memory', { locks: true, anyKey: true, versions: true }, (objects) => {
  const source = new MemorySource('bucket');
  for (const { key, ...object } of objects) source.put(key, object);
  return Promise.resolve({ source, dispose: () => source.close() });
});
