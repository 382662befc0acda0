import { type Answer, cannotTell } from './answer.ts';
import type { Versioning } from './bucket-facts.ts';
import type { Read } from './evidence.ts';
import type { VersioningState } from './lifecycle.ts';

const STATES = ['enabled', 'suspended', 'never'] as const satisfies readonly VersioningState[];

export function versioningState({ Status }: Versioning): VersioningState {
  return Status === 'Enabled' ? 'enabled' : Status === 'Suspended' ? 'suspended' : 'never';
}

/** The answer for the bucket's versioning; where that is unknown, the answer that all of its states share. */
export function underVersioning(versioning: Read<Versioning>, judge: (state: VersioningState) => Answer): Answer {
  if (versioning.state === 'known') return judge(versioningState(versioning.value));
  const [first, ...rest] = STATES.map(judge);
  return first && rest.every(({ outcome }) => outcome === first.outcome) ? first : cannotTell([versioning]);
}
