import { expect, it } from 'vitest';
import { bucketTarget, grants, parsePolicy } from '../../../src/posture/bucket-policy/index.ts';

const TARGET = bucketTarget('arn:aws:s3:::logs');
const stars = (count: number) => `arn:aws:s3:::logs/${'a*'.repeat(count)}b`;
const fill = (most: number, make: (index: number) => unknown) =>
  Array.from({ length: most }, (_, index) => make(index));

/** Shapes that are near the limit of what is read at all, each meant to be slow in its own way. */
const SHAPES: readonly [string, object][] = [
  [
    'patterns that backtrack',
    {
      Statement: [
        { Effect: 'Allow', Principal: '*', Action: '*', Resource: fill(20, (i) => stars(400 + i)) },
        { Effect: 'Deny', Principal: '*', Action: '*', Resource: fill(20, (i) => stars(401 + i)) },
      ],
    },
  ],
  [
    'many principals against many Denies',
    {
      Statement: [
        {
          Effect: 'Allow',
          Principal: { AWS: fill(1_000, (i) => String(100_000_000_000 + i)) },
          Action: '*',
          Resource: '*',
        },
        ...fill(200, (i) => ({ Effect: 'Deny', Principal: '*', Action: `s3:*${i % 10}`, Resource: '*' })),
      ],
    },
  ],
  [
    'Denies that cut into ever more pieces',
    {
      Statement: [
        {
          Effect: 'Allow',
          Principal: { AWS: fill(100, (i) => String(100_000_000_000 + i)) },
          Action: '*',
          Resource: fill(200, (i) => `arn:aws:s3:::logs/${i}*`),
        },
        ...fill(200, (i) => ({
          Effect: 'Deny',
          Principal: '*',
          Action: `s3:*${'abcdefghij'[i % 10]}*`,
          Resource: `arn:aws:s3:::logs/${i}*`,
        })),
      ],
    },
  ],
  [
    'long lists of condition values',
    {
      Statement: [
        {
          Effect: 'Allow',
          Principal: { AWS: fill(300, (i) => String(100_000_000_000 + i)) },
          Action: 's3:*',
          Resource: '*',
          Condition: {
            StringLike: { k: fill(400, (i) => `*${i}*`) },
            StringNotLike: { k: fill(400, (i) => `${i}*${i}`) },
          },
        },
        ...fill(60, () => ({
          Effect: 'Deny',
          Principal: '*',
          Action: 's3:*',
          Resource: '*',
          Condition: { StringNotLike: { k: fill(20, (i) => `*${i}`) } },
        })),
      ],
    },
  ],
  [
    'variables without an end',
    { Statement: { Effect: 'Allow', Principal: '*', Action: '*', Resource: '${'.repeat(18_000) } },
  ],
];

it.each(SHAPES)('%s: judged in a moment, and nothing is let slip', (_, document) => {
  const started = process.cpuUsage();
  const parsed = parsePolicy(JSON.stringify(document));
  const found = parsed.ok ? grants(parsed.policy, TARGET) : [];
  const took = process.cpuUsage(started).user / 1_000;
  expect(parsed.ok ? [] : parsed.errors).toEqual([]);
  expect(took).toBeLessThan(10_000);
  console.info(`${JSON.stringify(document).length} characters, ${found.length} grants: ${took.toFixed(0)} ms of CPU`);
});

it('refuses nesting that is deeper than any policy', () => {
  const deep = `{"Statement":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
  expect(parsePolicy(deep).ok).toBe(false);
});
