import { meaning } from '../chain/meaning.ts';
import { nearest } from '../config/nearest.ts';
import type { ScopeField } from '../config/scope-fields.ts';
import type { Contradiction } from '../config/sense.ts';
import type { Waiver } from '../config/waiver-schema.ts';
import { exactFields, neverWaivable } from '../config/waiver-terms.ts';
import { CONTROLS } from '../posture/controls/index.ts';

/** Waivers that could never cover anything, whatever the run finds: one that is merely unused says nothing of why. */
export function waiverProblems(waivers: readonly Waiver[]): Contradiction[] {
  return waivers.flatMap(({ control, scope }, index) => {
    const at = (...path: readonly string[]): readonly PropertyKey[] => ['waivers', index, ...path];
    if (neverWaivable(control) || CONTROLS.some(({ id }) => id === control)) return [];
    if (!isKind(control)) return [{ path: at('control'), message: unknown(control) }];
    if (meaning[control].outcome !== 'fail') {
      return [{ path: at('control'), message: `${control} is never a failure, so there is nothing to waive` }];
    }
    const fields = exactFields(control);
    if (fields === null) {
      const message = `${control} cannot be waived: integrity is waived for the hash that was found, and this finding has none`;
      return [{ path: at('control'), message }];
    }
    return fields.flatMap((field) => {
      const message = wrongWith(field, scope[field], control);
      return message === null ? [] : [{ path: at('scope', field), message }];
    });
  });
}

const isKind = (control: string): control is keyof typeof meaning => Object.hasOwn(meaning, control);

function wrongWith(field: ScopeField, value: string | undefined, control: string): string | null {
  if (value === undefined)
    return `is required: a waiver of ${control} names ${(exactFields(control) ?? []).join(', ')}`;
  if (value.startsWith('glob:')) return `must be literal: a waiver of ${control} is for one finding, not for a pattern`;
  if (field === 'sha256' && !/^[0-9a-f]{64}$/.test(value)) {
    return 'expected 64 lowercase hex digits: the SHA-256 that was found';
  }
  return null;
}

function unknown(control: string): string {
  const meant = nearest(control, [...CONTROLS.map(({ id }) => id), ...Object.keys(meaning)]);
  const hint = meant === null ? 'trailseal posture --list prints those of posture' : `did you mean ${meant}?`;
  return `there is no control or verdict ${JSON.stringify(control)}; ${hint}`;
}
