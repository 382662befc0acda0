import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { meaning } from '../../src/chain/meaning.ts';
import { THREATS, threatsMarkdown } from './threat-table.ts';

it('docs/threats.md is what the table says now (npx vitest run test/verify/threat-table.test.ts -u writes it)', async () => {
  await expect(threatsMarkdown()).toMatchFileSnapshot('../../docs/threats.md');
});

it.each(THREATS)('$group $threat: the test is there', ({ file, title }) => {
  expect(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')).toContain(title);
});

it('names only verdicts that there are', () => {
  const named = THREATS.flatMap(({ verdict }) => verdict.match(/\b(?:digest|link|log|object|coverage)-[a-z-]+/g) ?? []);
  expect(named.filter((kind) => !(kind in meaning))).toEqual([]);
});
