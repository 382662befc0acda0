import type { CallName } from '../../posture/calls.ts';
import type { Evidence } from '../../posture/evidence.ts';
import type { Ask } from './ask.ts';

/** What became of one call. */
export interface Asked {
  readonly name: CallName;
  readonly evidence: Evidence<unknown>;
}

/** The same asking, with a record of every call that was sent. */
export function recording(ask: Ask): Ask & { readonly record: readonly Asked[] } {
  const record: Asked[] = [];
  return {
    ...ask,
    record,
    async evidence(name, send, foreign) {
      const evidence = await ask.evidence(name, send, foreign);
      if (ask.wants(name)) record.push({ name, evidence });
      return evidence;
    },
    async read(name, send, foreign) {
      const evidence = await ask.read(name, send, foreign);
      if (ask.wants(name)) record.push({ name, evidence });
      return evidence;
    },
  };
}
