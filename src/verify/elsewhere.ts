import { createHash } from 'node:crypto';
import type { Verdict } from '../chain/verdict.ts';
import type { Source } from '../source/source.ts';
import type { VerifyRequest } from './request.ts';

/** The buckets that chains are followed into, and what was told of them. */
export interface Elsewhere {
  /** Opened once, however many chains lead there; `null` where there is no way to it. */
  bucket(name: string): Source | null;
  /** Chains that come from one place meet the same strays there: whether this was not told yet. */
  isNews(verdict: Verdict): boolean;
  close(): Promise<void>;
}

export function createElsewhere({ sourceOf }: Pick<VerifyRequest, 'sourceOf'>): Elsewhere {
  const buckets = new Map<string, Source>();
  /** Hashes: there are as many as objects that do not belong there, and keys are long. */
  const told = new Set<string>();

  return {
    bucket(name) {
      const source = buckets.get(name) ?? sourceOf?.(name) ?? null;
      if (source !== null) buckets.set(name, source);
      return source;
    },
    isNews({ kind, subject }) {
      // The others are about one chain, which is followed once.
      if (subject.type !== 'object' && subject.type !== 'run' && kind !== 'coverage-nothing-found') return true;
      const id = createHash('sha256')
        .update(JSON.stringify([kind, subject]))
        .digest('base64');
      return !told.has(id) && told.add(id).has(id);
    },
    async close() {
      await Promise.all([...buckets.values()].map((source) => source.close()));
    },
  };
}
