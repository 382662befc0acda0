import type { AdvancedSelector, BasicSelector, EventSelectors } from '../../../src/posture/trail-facts.ts';

/** An event as selectors see it. */
export interface WorldEvent {
  readonly category: 'Management' | 'Data';
  readonly source: string;
  readonly name: string;
  readonly readOnly: boolean;
  readonly resource: { readonly type: string; readonly arn: string } | null;
}

/** How two positive operators of one field go together: AWS's pages can be read either way. */
export type Reading = 'any' | 'every';

/** Does a trail with these selectors record the event? One event, one answer: no reasoning about sets. */
export function records(lists: EventSelectors, event: WorldEvent, reading: Reading): boolean {
  const advanced = lists.AdvancedEventSelectors ?? [];
  const basic = lists.EventSelectors ?? [];
  if (advanced.length + basic.length === 0) return event.category === 'Management';
  return (
    advanced.some((selector) => advancedRecords(selector, event, reading)) ||
    basic.some((selector) => basicRecords(selector, event))
  );
}

function basicRecords(selector: BasicSelector, event: WorldEvent): boolean {
  const kind = selector.ReadWriteType ?? 'All';
  if (kind === 'ReadOnly' && !event.readOnly) return false;
  if (kind === 'WriteOnly' && event.readOnly) return false;
  if (event.category === 'Management') {
    if (selector.IncludeManagementEvents === false) return false;
    return !(selector.ExcludeManagementEventSources ?? []).includes(event.source);
  }
  for (const resource of selector.DataResources ?? [])
    for (const value of resource.Values ?? [])
      if (resource.Type === event.resource?.type && event.resource?.arn.startsWith(value)) return true;
  return false;
}

function advancedRecords(selector: AdvancedSelector, event: WorldEvent, reading: Reading): boolean {
  for (const field of selector.FieldSelectors ?? []) {
    const actual = actualValue(event, field.Field ?? '');
    if (actual === undefined) return false;
    const wanted: boolean[] = [];
    if (field.Equals?.length) wanted.push(field.Equals.some((v) => actual === v));
    if (field.StartsWith?.length) wanted.push(field.StartsWith.some((v) => actual.indexOf(v) === 0));
    if (field.EndsWith?.length) wanted.push(field.EndsWith.some((v) => actual.slice(actual.length - v.length) === v));
    if (wanted.length > 0 && !(reading === 'any' ? wanted.includes(true) : !wanted.includes(false))) return false;
    for (const v of field.NotEquals ?? []) if (actual === v) return false;
    for (const v of field.NotStartsWith ?? []) if (actual.indexOf(v) === 0) return false;
    for (const v of field.NotEndsWith ?? []) if (actual.slice(actual.length - v.length) === v) return false;
  }
  return true;
}

function actualValue(event: WorldEvent, field: string): string | undefined {
  switch (field) {
    case 'eventCategory':
      return event.category;
    case 'eventSource':
      return event.source;
    case 'eventName':
      return event.name;
    case 'readOnly':
      return String(event.readOnly);
    case 'resources.type':
      return event.resource?.type;
    case 'resources.ARN':
      return event.resource?.arn;
    default:
      return undefined;
  }
}
