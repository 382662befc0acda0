import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const HERE = new URL('./', import.meta.url);
const SCENARIOS = 111;

/** Numbers that titles of tests begin with: `12: …`, `68, 69: …`, `93 to 95: …`. */
function numbered(): Map<number, number> {
  const counts = new Map<number, number>();
  for (const name of readdirSync(HERE).filter((each) => each.endsWith('.test.ts') && each !== 'numbers.test.ts')) {
    for (const [, title = ''] of readFileSync(new URL(name, HERE), 'utf8').matchAll(
      /['"`]((?:\d+)(?:(?:, | to )\d+)*)(?=: |['"`],\n? *['"`]\d+: )/g,
    )) {
      const [first = 0, last = first] = title.split(' to ').map(Number);
      const numbers = title.includes(' to ')
        ? Array.from({ length: last - first + 1 }, (_, i) => first + i)
        : title.split(', ').map(Number);
      for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
    }
  }
  return counts;
}

it('each scenario of the reference is a test', () => {
  const counts = numbered();
  const missing = Array.from({ length: SCENARIOS }, (_, i) => i + 1).filter((number) => !counts.has(number));
  expect(missing).toEqual([]);
});
