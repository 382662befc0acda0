import type { Finding } from '../report/finding.ts';
import type { Control } from './control.ts';
import { CONTROLS } from './controls/index.ts';
import type { PostureScope } from './scope.ts';
import type { Snapshot } from './snapshot.ts';

/** Findings of every control in report order. The same snapshot and scope give the same findings. */
export function judge(snapshot: Snapshot, scope: PostureScope, controls: readonly Control[] = CONTROLS): Finding[] {
  const world = { snapshot, scope, now: Date.parse(snapshot.collectedAt) };
  return controlsOf(scope, controls).flatMap((control) => control.judge(world));
}

/** Controls that this scope asks for. */
export function controlsOf(scope: PostureScope, controls: readonly Control[] = CONTROLS): readonly Control[] {
  return controls.filter(({ id, optional }) => !optional || scope.optIn.includes(id));
}
