import { expect, it } from 'vitest';
import { nearest } from '../../src/config/nearest.ts';

const OPTIONS = ['start-time', 'end-time', 's3-bucket', 's3-prefix', 'region', 'require-lock', 'verbose'];

it.each([
  ['strat-time', 'start-time'],
  ['s3-buket', 's3-bucket'],
  ['Region', 'region'],
  ['regoin', 'region'],
  ['requirelock', 'require-lock'],
  ['colour', null],
  ['x', null],
  ['', null],
])('%s → %s', (typed, meant) => {
  expect(nearest(typed, OPTIONS)).toBe(meant);
});

it('is not slowed by a long word', () => {
  expect(nearest('x'.repeat(1_000_000), OPTIONS)).toBeNull();
});
