import { expect, it } from 'vitest';
import { trail } from '../../src/demo/trail.ts';
import type { ListedObject } from '../../src/source/source.ts';
import { countKinds, requestFor, sourceOf, verdictsOf } from '../support/verify-trail.ts';

const INTACT = { 'digest-signed': 3, 'link-linked': 2, 'link-genesis': 1, 'log-intact': 6, 'coverage-full': 1 };
const LOGS = 'AWSLogs/123456789012/CloudTrail/us-east-1';
const DIGESTS = LOGS.replace('CloudTrail', 'CloudTrail-Digest');

/** A copy that is being written to: files go between the listing and the look at them. */
it.each([
  ['object-undigested', `${LOGS}/2026/03/01/123456789012_CloudTrail_us-east-1_20260301T0120Z_undigested000000.json.gz`],
  ['object-foreign', `${LOGS}/2026/03/01/beside.json.gz.tmp`],
  ['object-foreign', `${LOGS}/2026/02/01/earlier.json.gz.tmp`],
  ['object-foreign', `${LOGS}/2026/beside`],
  ['object-foreign', `${LOGS.replace('/us-east-1', '')}/beside`],
  ['object-foreign', `${DIGESTS}/2026/03/01/beside.json.gz.tmp`],
  [
    'digest-malformed',
    `${DIGESTS}/2026/03/01/123456789012_CloudTrail-Digest_us-east-1_another_us-east-1_20260301T011742Z.json.gz`,
  ],
])('%s is not told of a file that has gone since it was listed: %s', async (kind, key) => {
  const built = trail().hours(3).build();
  const judge = async (isGone: boolean) => {
    const source = sourceOf(built);
    source.put(key, Buffer.from('x'));
    const mark = (object: ListedObject) => (object.key === key ? { ...object, isGone } : object);
    const { list, folders } = source;
    source.list = async function* (prefix, after) {
      for await (const page of list.call(source, prefix, after)) yield page.map(mark);
    };
    source.folders = async (prefix) => {
      const found = await folders.call(source, prefix);
      return { ...found, objects: found.objects.map(mark) };
    };
    source.versions = () => null as never;
    return countKinds(await verdictsOf({ ...requestFor(built, source), range: { ...built.range, start: null } }));
  };
  expect(await judge(false)).toMatchObject({ [kind]: 1 });
  expect(await judge(true)).toEqual(INTACT);
});
