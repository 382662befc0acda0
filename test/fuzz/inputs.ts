import { fc } from '../support/property.ts';

/** `npm run fuzz` sets how many inputs all properties together are given; the suite gives them a few. */
const ALL = Number(process.env['FUZZ_INPUTS'] ?? 6_000);

/** Time that so many inputs may take, milliseconds; a hang is a failure. */
export const FUZZ_TIMEOUT = 60_000 + ALL;

/** Checks a property on its share of all inputs. A failure tells the seed and the smallest input that fails. */
export function fuzz<T>(share: number, inputs: fc.Arbitrary<T>, property: (input: T) => void): void {
  fc.assert(fc.property(inputs, property), parameters(share));
}

export async function fuzzAsync<T>(
  share: number,
  inputs: fc.Arbitrary<T>,
  property: (input: T) => Promise<void>,
): Promise<void> {
  await fc.assert(fc.asyncProperty(inputs, property), parameters(share));
}

function parameters(share: number) {
  return { numRuns: Math.max(1, Math.round(ALL * share)) };
}

/** Strings such as strangers choose: any code unit, with a taste for what some sink obeys. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({
    unit: fc.constantFrom(
      ...['\u001b[2J', '\u0000', '\r', '\n', '\u009b', '\u202e', '\ud800', '\udc00', '\ufffe', '\u2028', '\ufeff'],
      ...[
        '<',
        '>',
        '&',
        '"',
        "'",
        ']]>',
        '<!--',
        '<![CDATA[',
        '\\u001b',
        '\\',
        '[[ATTACHMENT|',
        '##[',
        '::set-output::',
      ],
      ...['=cmd()', '@', '%00', '../', '\t', ' ', 'a', '1', '{0}', '](x)'],
    ),
    maxLength: 12,
  }),
);

type Edit = readonly [place: number, kind: number, bytes: Uint8Array];

/** The sample with a few bytes overwritten, put in, taken out or repeated. */
export function mutated(samples: readonly Uint8Array[], maxEdits = 4): fc.Arbitrary<Uint8Array> {
  const edit = fc.tuple(fc.nat(0xffff), fc.nat(4), fc.uint8Array({ minLength: 1, maxLength: 6 }));
  return fc
    .tuple(fc.constantFrom(...samples), fc.array(edit, { maxLength: maxEdits }))
    .map(([sample, edits]) => edits.reduce<Uint8Array>(apply, sample));
}

function apply(bytes: Uint8Array, [place, kind, more]: Edit): Uint8Array {
  const at = bytes.length === 0 ? 0 : place % (bytes.length + 1);
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
  switch (kind) {
    case 0:
      return Buffer.concat([before, more, after.subarray(more.length)]);
    case 1:
      return Buffer.concat([before, more, after]);
    case 2:
      return Buffer.concat([before, after.subarray(more.length)]);
    case 3:
      return before;
    default:
      return Buffer.concat([before, before.subarray(-more.length), after]);
  }
}
