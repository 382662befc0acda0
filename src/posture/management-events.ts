import type { PostureScope } from './scope.ts';
import { managementCoverage, SOURCE_CLASSES } from './selectors/management.ts';
import { OPERATIONS, type SelectorOwner } from './selectors/shapes.ts';

/** Kinds of management events that are not recorded in full, as `read kms`; without those that may be left out. */
export function missingManagementEvents(
  owners: readonly SelectorOwner[],
  scope: Pick<PostureScope, 'allowExcludeKms' | 'allowExcludeRdsdata'>,
): readonly string[] {
  const matrix = managementCoverage(owners);
  const excused = { kms: scope.allowExcludeKms, rdsdata: scope.allowExcludeRdsdata, other: false };
  return OPERATIONS.flatMap((operation) =>
    SOURCE_CLASSES.filter((source) => matrix[operation][source].kind !== 'full' && !excused[source]).map(
      (source) => `${operation} ${source}`,
    ),
  );
}
