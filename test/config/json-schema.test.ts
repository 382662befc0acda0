import { expect, it } from 'vitest';
import { configJsonSchema, keysAt } from '../../src/config/json-schema.ts';

it('docs/trailseal.schema.json is what the schema says now (npx vitest run test/config -u writes it)', async () => {
  const text = `${JSON.stringify(configJsonSchema(), null, 2)}\n`;
  await expect(text).toMatchFileSnapshot('../../docs/trailseal.schema.json');
});

it.each([
  [[], 'logBuckets'],
  [['logBuckets', 0, 'retention'], 'hotDays'],
  [['trails', 3], 'arn'],
  [['pipelines', 'deploy-prod', 'hours'], 'allow'],
  [['waivers', 0, 'scope'], 'sha256'],
])('knows the keys below %j', (path, key) => {
  expect(keysAt(path)).toContain(key);
});

it('knows no keys where there is no such place', () => {
  expect(keysAt(['logBuckets', 0, 'nowhere'])).toEqual([]);
});
