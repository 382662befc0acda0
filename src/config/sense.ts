import { demandOf, type REGIMES } from './regimes.ts';
import type { Config } from './schema.ts';
import { termProblems } from './waiver-terms.ts';

/** Something each field allows and the whole does not. */
export interface Contradiction {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

export function contradictions(config: Config, nowMs: number): Contradiction[] {
  return [...retentionProblems(config), ...repeated(config), ...termProblems(config.waivers ?? [], nowMs)];
}

/** The regimes of a config as a list, whatever way it was written. */
export function regimesOf(config: Config): (keyof typeof REGIMES)[] {
  if (config.regime === undefined) return [];
  return typeof config.regime === 'string' ? [config.regime] : config.regime;
}

function retentionProblems(config: Config): Contradiction[] {
  const regimes = regimesOf(config);
  const demand = demandOf(regimes);
  return (config.logBuckets ?? []).flatMap(({ retention }, index) => {
    const path = (key: string): PropertyKey[] => ['logBuckets', index, 'retention', key];
    const problems: Contradiction[] = [];
    if (regimes.length > 0) {
      for (const key of ['days', 'hotDays'] as const) {
        const asked = retention?.[key];
        if (asked !== undefined && asked < demand[key]) {
          problems.push({
            path: path(key),
            message: `is less than the ${demand[key]} that regime ${regimes.join(', ')} asks for`,
          });
        }
      }
      if (retention?.lock === 'GOVERNANCE' && regimes.includes('sec17a4')) {
        problems.push({ path: path('lock'), message: 'regime sec17a4 asks for COMPLIANCE' });
      }
    }
    const days = retention?.days ?? demand.days;
    if (retention?.keepDays !== undefined && retention.keepDays < days) {
      problems.push({ path: path('keepDays'), message: `is less than the ${days} days of retention` });
    }
    if (retention?.hotDays !== undefined && retention.hotDays > days) {
      problems.push({ path: path('hotDays'), message: `is more than the ${days} days of retention` });
    }
    return problems;
  });
}

function repeated(config: Config): Contradiction[] {
  const lists = {
    logBuckets: config.logBuckets?.map(({ name, prefix }) => `${name}/${prefix ?? ''}`) ?? [],
    stateBuckets: config.stateBuckets?.map(({ name }) => name) ?? [],
    trails: config.trails?.map((trail) => (typeof trail === 'string' ? trail : trail.arn)) ?? [],
    waivers: config.waivers?.map(({ id }) => id) ?? [],
  };
  return Object.entries(lists).flatMap(([key, names]) =>
    names.flatMap((name, index) =>
      names.indexOf(name) < index
        ? [{ path: [key, index], message: `is the same as ${key}[${names.indexOf(name)}]` }]
        : [],
    ),
  );
}
