import type { BasicSelector } from '../trail-facts.ts';
import type { Operation } from './shapes.ts';

/** What `ReadWriteType` leaves out of one kind of operation: `null` is everything, `[]` nothing. */
export function operationGaps(selector: BasicSelector, operation: Operation): readonly string[] | null {
  switch (selector.ReadWriteType) {
    case undefined:
    case 'All':
      return [];
    case 'ReadOnly':
      return operation === 'read' ? [] : null;
    case 'WriteOnly':
      return operation === 'write' ? [] : null;
    default:
      return [`ReadWriteType ${selector.ReadWriteType} is not known`];
  }
}
