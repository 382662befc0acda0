import { HOUR } from '../../src/chain/location.ts';
import { type BuiltTrail, type TrailBuilder, trail } from '../../src/demo/trail.ts';
import { fc } from '../support/property.ts';

/** One trail that was altered at random, and what of its time is asked for. */
export interface Altered {
  /** The verbs in order, for people. */
  readonly story: string;
  readonly built: BuiltTrail;
  readonly range: { readonly start: number; readonly end: number };
}

type Alteration = { readonly name: string; readonly apply: (t: TrailBuilder) => TrailBuilder };

/** Every verb of the builder that changes one trail, with arguments that fit a trail of at least four hours and one log. */
function alteration(hours: number, logs: number): fc.Arbitrary<Alteration> {
  const hour = fc.nat(hours - 1);
  const log = fc.nat(logs - 1);
  const few = fc.integer({ min: 1, max: 2 });
  const of = (name: string, ...parts: fc.Arbitrary<number>[]): fc.Arbitrary<Alteration> =>
    fc.tuple(...parts).map((args) => ({
      name: `${name}(${args.join(', ')})`,
      apply: (t) => (t as unknown as Record<string, (...args: number[]) => TrailBuilder>)[name]?.(...args) ?? t,
    }));
  const write = (field: string, value: unknown): fc.Arbitrary<Alteration> =>
    hour.map((at) => ({
      name: `writeDigest(${at}, ${JSON.stringify({ [field]: value })})`,
      apply: (t) => t.writeDigest(at, { [field]: value }),
    }));
  return fc.oneof(
    ...['alterLog', 'corruptLog', 'recompressLog', 'unzipLog', 'appendToLog', 'cutLog', 'dropLog'].map((verb) =>
      of(verb, hour, log),
    ),
    ...[
      'dropDigest',
      'editDigest',
      'signByStranger',
      'resignDigest',
      'forgetKey',
      'unlinkDigest',
      'appendToDigest',
      'stripSignature',
      'shoutHashes',
      'addLog',
    ].map((verb) => of(verb, hour)),
    ...['swapSignature', 'moveDigest', 'swapDigests'].map((verb) => of(verb, hour, hour)),
    ...['cutTail', 'cutHead'].map((verb) => of(verb, few)),
    ...[
      ['logFiles', null],
      ['logFiles', 'none'],
      ['awsAccountId', '999999999999'],
      ['digestSignatureAlgorithm', 'SHA1withRSA'],
      ['digestS3Bucket', 'elsewhere'],
      ['digestEndTime', '2026-03-01T00:00:00Z'],
    ].map(([field, value]) => write(String(field), value)),
    hour.map((at) => ({ name: `replaceDigest(${at}, {})`, apply: (t: TrailBuilder) => t.replaceDigest(at, '{}') })),
  );
}

/** The `index`-th trail lies in a bucket of its own. */
export function alteredTrail(index: number): fc.Arbitrary<Altered> {
  return fc
    .record({ hours: fc.integer({ min: 4, max: 6 }), logs: fc.integer({ min: 1, max: 2 }) })
    .chain(({ hours, logs }) =>
      fc.record({
        hours: fc.constant(hours),
        logs: fc.constant(logs),
        stop: fc.option(fc.nat(hours - 2), { freq: 5 }),
        alterations: fc.array(alteration(hours, logs), { minLength: 1, maxLength: 3 }),
        // Minutes that the range begins after the first digest and ends before the last.
        head: fc.constantFrom(0, 0, 0, 60, 90, 120),
        tail: fc.constantFrom(0, 0, 0, 60, 90),
      }),
    )
    .map(({ hours, logs, stop, alterations, head, tail }) => {
      let builder = trail({ bucket: `altered-${index}` })
        .hours(hours)
        .logs(logs);
      if (stop !== null) builder = builder.stopAt(stop);
      const told: string[] = stop === null ? [] : [`stopAt(${stop})`];
      for (const { name, apply } of alterations) {
        const next = apply(builder);
        if (!canBuild(next)) continue;
        builder = next;
        told.push(name);
      }
      const built = builder.build();
      const range = { start: built.range.start + head * (HOUR / 60), end: built.range.end - tail * (HOUR / 60) };
      const narrowed = head + tail === 0 ? [] : [`asked from +${head} to -${tail} minutes`];
      return { story: [...told, ...narrowed].join(' · '), built, range };
    });
}

/** A verb cannot change what an earlier one took away. */
function canBuild(builder: TrailBuilder): boolean {
  try {
    builder.build();
    return true;
  } catch {
    return false;
  }
}
