import { describe, expect, it } from 'vitest';
import { BodyMemory } from '../../src/source/s3/body-memory.ts';

const KiB = 1024;

describe('memory of bodies', () => {
  it('is lent again once it is given back, whatever the length of the next body', () => {
    const memory = new BodyMemory();
    const first = memory.take(20 * KiB);
    memory.give(first);
    const next = memory.take(30 * KiB);
    expect([next.buffer === first.buffer, next.length]).toEqual([true, 30 * KiB]);
  });

  it('is never lent twice at a time', () => {
    const memory = new BodyMemory();
    const bodies = Array.from({ length: 10 }, () => memory.take(20 * KiB));
    expect(new Set(bodies.map(({ buffer }) => buffer)).size).toBe(10);
    const [first] = bodies;
    if (!first) throw new Error('no body');
    memory.give(first);
    memory.give(first);
    expect(memory.take(20 * KiB).buffer).not.toBe(memory.take(20 * KiB).buffer);
  });

  it('gives way to more where it is too short', () => {
    const memory = new BodyMemory();
    memory.give(memory.take(20 * KiB));
    expect(memory.take(200 * KiB)).toHaveLength(200 * KiB);
  });

  it('of others is not lent', () => {
    const memory = new BodyMemory();
    const foreign = Buffer.alloc(20 * KiB);
    memory.give(foreign);
    memory.give(memory.take(100));
    const next = [memory.take(20 * KiB), memory.take(20 * KiB)];
    expect(next.map(({ buffer }) => buffer)).not.toContain(foreign.buffer);
    expect(memory.take(100)).toHaveLength(100);
  });

  it('is not kept without bound', () => {
    const memory = new BodyMemory();
    const bodies = Array.from({ length: 200 }, () => memory.take(128 * KiB));
    for (const body of bodies) memory.give(body);
    const lent = new Set(bodies.map(({ buffer }) => buffer));
    const again = Array.from({ length: 200 }, () => memory.take(128 * KiB)).filter(({ buffer }) => lent.has(buffer));
    expect(again).toHaveLength(64);
  });
});
