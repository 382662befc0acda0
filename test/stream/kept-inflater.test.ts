import { deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { KeptInflater } from '../../src/stream/kept-inflater.ts';
import { fc } from '../support/property.ts';

const inflater = KeptInflater.make(4096);
const TRAILER = Buffer.from('8 bytes!');

/** Contents that compress and contents that do not. */
const contents = fc.oneof(
  fc.uint8Array({ maxLength: 4096 }),
  fc.tuple(fc.nat(255), fc.nat(4096)).map(([byte, length]) => new Uint8Array(length).fill(byte)),
);

test('the inside of this version of Node is as it is known', () => {
  expect(inflater).not.toBeNull();
});

test('inflates one after the other what ends where it should, and nothing else', () => {
  fc.assert(
    fc.property(contents, fc.nat(20), (content, at) => {
      const stream = deflateRawSync(content);
      const stored = Buffer.concat([stream, TRAILER]);
      expect(inflater?.inflate(stored.subarray(0, stream.length - 1), content.length, 0)).toBeNull();
      expect(inflater?.inflate(stored, content.length + 1, 8)).toBeNull();
      if (content.length > 0) expect(inflater?.inflate(stored, content.length - 1, 8)).toBeNull();
      expect(inflater?.inflate(Buffer.concat([stored, TRAILER]), content.length, 8)).toBeNull();
      // What went before leaves no trace, a corrupt stream least of all.
      const corrupt = Buffer.from(stored);
      corrupt[at % stream.length] = (corrupt[at % stream.length] ?? 0) ^ 0xff;
      inflater?.inflate(corrupt, content.length, 8);
      expect(inflater?.inflate(stored, content.length, 8)?.equals(content)).toBe(true);
    }),
  );
});

test('the content is valid until the next call only', () => {
  const [one, two] = [deflateRawSync(Buffer.from('one')), deflateRawSync(Buffer.from('two'))];
  const first = inflater?.inflate(one, 3, 0);
  expect(`${first}`).toBe('one');
  inflater?.inflate(two, 3, 0);
  expect(`${first}`).toBe('two');
});
