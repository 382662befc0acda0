import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { type BuiltTrail, trail } from '../../src/demo/trail.ts';
import type { VerifyRequest } from '../../src/verify/verify.ts';
import type { MemorySource } from '../support/memory-source.ts';
import { countKinds, requestFor, sourceOf, verdictsOf } from '../support/verify-trail.ts';

const INTACT = { 'digest-signed': 6, 'link-linked': 5, 'link-genesis': 1, 'log-intact': 12, 'coverage-full': 1 };

function logOf(built: BuiltTrail, hour: number): string {
  return built.digests[hour]?.logs[0] ?? '';
}

function judged(change: (source: MemorySource, built: BuiltTrail) => void, more: Partial<VerifyRequest> = {}) {
  const built = trail().build();
  const source = sourceOf(built);
  change(source, built);
  return verdictsOf({ ...requestFor(built, source), ...more });
}

it('a log that was written over is recoverable, and its key has two versions', async () => {
  const verdicts = await judged((source, built) => source.put(logOf(built, 3), Buffer.from('gone')));
  expect(countKinds(verdicts)).toEqual({ ...INTACT, 'log-intact': 11, 'log-recoverable': 1, 'object-overwritten': 1 });
  expect(verdicts.find(({ kind }) => kind === 'log-recoverable')?.facts).toMatchObject({ current: 'malformed' });
});

it('a log of which no version has the attested hash is altered, not recoverable', async () => {
  const verdicts = await judged((source, built) => {
    source.erase(logOf(built, 3));
    source.put(logOf(built, 3), gzipSync('an older one, not the attested'));
    source.put(logOf(built, 3), gzipSync('the current one'));
  });
  expect(countKinds(verdicts)).toEqual({ ...INTACT, 'log-intact': 11, 'log-altered': 1, 'object-overwritten': 1 });
});

it('a log behind a delete marker is recoverable and hidden', async () => {
  const verdicts = await judged((source, built) => source.hide(logOf(built, 3)));
  expect(countKinds(verdicts)).toEqual({ ...INTACT, 'log-intact': 11, 'log-recoverable': 1, 'object-hidden': 1 });
  expect(verdicts.find(({ kind }) => kind === 'log-recoverable')?.facts).toMatchObject({ current: 'missing' });
});

it('a log written anew with the same bytes is intact, and told', async () => {
  const verdicts = await judged((source, built) => {
    const { body } = built.objects.get(logOf(built, 3)) ?? { body: Buffer.alloc(0) };
    source.put(logOf(built, 3), body);
  });
  expect(countKinds(verdicts)).toEqual({ ...INTACT, 'object-overwritten': 1 });
});

it('the versions of a key are told together, whatever pages they come in', async () => {
  const verdicts = await judged((source, built) => {
    const { body } = built.objects.get(logOf(built, 3)) ?? { body: Buffer.alloc(0) };
    for (let n = 0; n < 8; n++) source.put(logOf(built, 3), body);
  });
  expect(countKinds(verdicts)).toEqual({ ...INTACT, 'object-overwritten': 1 });
  expect(verdicts.find(({ kind }) => kind === 'object-overwritten')?.facts).toMatchObject({ versions: 9 });
});

it('a digest behind a delete marker is missing and hidden', async () => {
  const verdicts = await judged((source, built) => source.hide(built.digests[3]?.key ?? ''));
  expect(countKinds(verdicts)).toMatchObject({ 'digest-missing': 1, 'object-hidden': 1, 'digest-signed': 5 });
});

it('all digests behind delete markers leave nothing to prove', async () => {
  const verdicts = await judged((source, built) => {
    for (const { key } of built.digests) source.hide(key);
  });
  expect(countKinds(verdicts)).toEqual({ 'coverage-nothing-found': 1, 'object-hidden': 6 });
});

it('versions that may not be listed are told once, and the rest is judged', async () => {
  const verdicts = await judged((source) => {
    source.refuseVersions({ kind: 'denied', code: 'AccessDenied', message: 'no s3:ListBucketVersions' });
  });
  expect(countKinds(verdicts)).toEqual({ ...INTACT, 'object-unlisted': 1 });
});

it('a store that has no versions has nothing to hide', async () => {
  const verdicts = await judged((source) => {
    source.refuseVersions({ kind: 'error', code: 'NotImplemented', message: 'no ?versions' });
  });
  expect(countKinds(verdicts)).toEqual(INTACT);
});

it('without inventory no versions are listed', async () => {
  const verdicts = await judged(
    (source, built) => source.put(logOf(built, 3), built.objects.get(logOf(built, 3))?.body ?? Buffer.alloc(0)),
    {
      inventory: 'off',
    },
  );
  expect(countKinds(verdicts)).toEqual(INTACT);
});
