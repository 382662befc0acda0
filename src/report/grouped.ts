import { details, REMEDY, type Row } from './detail.ts';
import type { Finding } from './finding.ts';

/** Findings that say the same of several things. */
export interface Group {
  /** One of them; the others differ in what they are about. */
  readonly of: Finding;
  readonly findings: readonly Finding[];
  /** What they have in common, without the remedy. */
  readonly common: readonly Row[];
  /** What each is about and has to itself, a line each. */
  readonly each: readonly string[];
  /** Empty where a group of the same control before it gave the same. */
  readonly remedy: string;
}

/** The same control one after the other, the same words once. */
export function grouped(findings: readonly Finding[]): Group[] {
  const controls = new Map<string, Map<string, Finding[]>>();
  for (const finding of findings) {
    const { severity, control, message, evidence, remedy, waiver } = finding;
    const block = controls.get(`${severity} ${control}`) ?? new Map<string, Finding[]>();
    controls.set(`${severity} ${control}`, block);
    const words = JSON.stringify([message, evidence, remedy, waiver]);
    block.set(words, [...(block.get(words) ?? []), finding]);
  }
  return [...controls.values()].flatMap((block) => {
    const told = new Set<string>();
    return [...block.values()].flatMap((alike): Group[] => {
      const [first] = alike;
      if (first === undefined) return [];
      const isNew = !told.has(first.remedy);
      told.add(first.remedy);
      return [{ of: first, findings: alike, ...split(alike), remedy: isNew ? first.remedy : '' }];
    });
  });
}

function split(alike: readonly Finding[]): Pick<Group, 'common' | 'each'> {
  const rows = alike.map((finding) => details(finding).filter(([label]) => label !== REMEDY));
  const [first = []] = rows;
  // The first row names the thing, and is its own even where two are called the same.
  const common = first.slice(1).filter((row) => rows.every((list) => has(list, row)));
  return { common, each: rows.map((list) => ownOf(list, common)) };
}

const has = (list: readonly Row[], [label, value]: Row): boolean =>
  list.some((row) => row[0] === label && row[1] === value);

const ownOf = (list: readonly Row[], common: readonly Row[]): string =>
  list
    .filter((row) => !has(common, row))
    .map(([, value]) => value)
    .join('  ');
