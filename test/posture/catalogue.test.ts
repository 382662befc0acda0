import { expect, it } from 'vitest';
import { CALLS } from '../../src/posture/calls.ts';
import { catalogue, controlsMarkdown } from '../../src/posture/catalogue.ts';
import { CONTROLS } from '../../src/posture/controls/index.ts';
import { MAPPINGS } from '../../src/posture/references.ts';

it('docs/controls.md is what the registry says now (npx vitest run test/posture/catalogue.test.ts -u writes it)', async () => {
  await expect(controlsMarkdown(CONTROLS)).toMatchFileSnapshot('../../docs/controls.md');
});

it('lists every control on a line of its own', () => {
  expect(catalogue(CONTROLS).trimEnd().split('\n')).toHaveLength(CONTROLS.length);
});

it('gives each id once', () => {
  const ids = CONTROLS.map(({ id }) => id);
  expect([...new Set(ids)]).toEqual(ids);
});

it('maps each control to the frameworks at most once', () => {
  const mapped = MAPPINGS.flatMap(({ controls }) => controls);
  expect([...new Set(mapped)]).toEqual(mapped);
});

it.each(Object.entries(CALLS))('%s only reads', (_, { operation }) => {
  expect(operation).toMatch(/^(Get|List|Describe|Head|Decrypt)/);
});
