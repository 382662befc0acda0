import { describe, expect, it } from 'vitest';
import type { DigestEntry } from '../../src/chain/attestation.ts';
import { followChain } from '../../src/chain/checkpoint.ts';
import { trail } from '../../src/demo/trail.ts';
import { requestFor, stepsOf } from '../support/verify-trail.ts';

const entries: DigestEntry[] = [];
for await (const _ of stepsOf({ ...requestFor(trail().hours(6).build()), watch: (entry) => entries.push(entry) }));
const [first] = entries;
const newest = entries.at(-1);
if (!first || !newest) throw new Error('the trail has digests');
const { chain } = first.key;

/** The part of a chain that lies in another bucket is read after what came later here. */
function read(outcomeOfFirst: 'pass' | 'inconclusive') {
  const memory = followChain(chain, null, 0);
  for (const entry of [...entries.slice(3), ...entries.slice(0, 3)]) {
    memory.read(entry);
    const isOpen = entry === first && outcomeOfFirst === 'inconclusive';
    memory.judged(isOpen ? 'digest-denied' : 'digest-signed', isOpen ? 'inconclusive' : 'pass', entry.subject);
  }
  return memory.end(true).next;
}

describe('a chain of which the earlier part is read last', () => {
  it('is remembered up to its newest digest', () => {
    expect(read('pass')?.digest.key).toBe(newest?.key.key);
  });

  it('is not remembered beyond what could not be read', () => {
    expect(read('inconclusive')).toBeNull();
  });
});
