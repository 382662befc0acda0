import type { BasicSelector } from '../trail-facts.ts';
import { advancedGaps, type ScopeFields } from './advanced.ts';
import { operationGaps } from './basic.ts';
import { anyOf, type Coverage, coverageOf } from './coverage.ts';
import type { Domain } from './field.ts';
import { type Operation, type PlacedSelector, placeSelectors, type SelectorOwner } from './shapes.ts';

/** Sources of management events that AWS lets a trail leave out, and all the others together. */
export type SourceClass = 'kms' | 'rdsdata' | 'other';
export const SOURCE_CLASSES = ['kms', 'rdsdata', 'other'] as const satisfies readonly SourceClass[];

export type ManagementMatrix = Readonly<Record<Operation, Readonly<Record<SourceClass, Coverage>>>>;

const EXCLUDABLE = { kms: 'kms.amazonaws.com', rdsdata: 'rdsdata.amazonaws.com' } as const;

const SOURCES: Record<SourceClass, Domain> = {
  kms: { kind: 'exactly', value: EXCLUDABLE.kms },
  rdsdata: { kind: 'exactly', value: EXCLUDABLE.rdsdata },
  other: { kind: 'other-than', values: Object.values(EXCLUDABLE) },
};

/** Which management events the selectors of all owners together record; the caller picks owners that see the Region. */
export function managementCoverage(owners: readonly SelectorOwner[]): ManagementMatrix {
  const placed = placeSelectors(owners);
  const cell = (operation: Operation, source: SourceClass): Coverage =>
    anyOf(placed.map((one) => coverageOf(one, gapsOf(one, operation, source))));
  const row = (operation: Operation) => ({
    kms: cell(operation, 'kms'),
    rdsdata: cell(operation, 'rdsdata'),
    other: cell(operation, 'other'),
  });
  return { read: row('read'), write: row('write') };
}

function gapsOf(placed: PlacedSelector, operation: Operation, source: SourceClass): readonly string[] | null {
  switch (placed.form) {
    case 'default':
      return [];
    case 'unclear':
      return ['both basic and advanced selectors were returned'];
    case 'basic':
      return basicGaps(placed.selector, operation, source);
    case 'advanced': {
      const scope: ScopeFields = {
        required: { eventCategory: { kind: 'exactly', value: 'Management' } },
        optional: {
          readOnly: { kind: 'exactly', value: String(operation === 'read') },
          eventSource: SOURCES[source],
        },
      };
      return advancedGaps(placed.selector, scope);
    }
  }
}

function basicGaps(selector: BasicSelector, operation: Operation, source: SourceClass): readonly string[] | null {
  if (selector.IncludeManagementEvents === false) return null;
  const operations = operationGaps(selector, operation);
  if (operations === null) return null;
  const excluded = selector.ExcludeManagementEventSources ?? [];
  if (source !== 'other') return excluded.includes(EXCLUDABLE[source]) ? null : operations;
  const foreign = excluded.filter((name) => name !== EXCLUDABLE.kms && name !== EXCLUDABLE.rdsdata);
  return foreign.length === 0 ? operations : [...operations, `excludes ${foreign.join(', ')}`];
}
