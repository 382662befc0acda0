import type { FieldSelector } from '../trail-facts.ts';
import type { SelectorNote } from './coverage.ts';
import { type PlacedSelector, placeSelectors, type SelectorOwner } from './shapes.ts';

const BUCKET_ARN = /^arn:[^:]+:s3:::([^/*]+)(\/?)/;

/** Values that select something else than they seem to. `buckets`: names known to be gone; judged only when given. */
export function lintSelectors(
  owners: readonly SelectorOwner[],
  missing: ReadonlySet<string> = new Set(),
): SelectorNote[] {
  return placeSelectors(owners).flatMap((placed) => {
    const values = valuesOf(placed);
    const seen = new Set<string>();
    return values.flatMap(({ value, where }) => {
      const reasons: string[] = [];
      const [, bucket, slash] = BUCKET_ARN.exec(value) ?? [];
      if (placed.form === 'advanced' && value.includes('*'))
        reasons.push(`${where} holds "${value}": an asterisk is an ordinary character here`);
      if (bucket !== undefined && slash === '')
        reasons.push(`${where} holds "${value}": without a trailing slash it may match other buckets`);
      if (bucket !== undefined && missing.has(bucket))
        reasons.push(`${where} names the bucket ${bucket}, which does not exist`);
      if (seen.has(`${where} ${value}`)) reasons.push(`${where} holds "${value}" twice`);
      seen.add(`${where} ${value}`);
      return reasons.map((reason) => ({ owner: placed.owner, form: placed.form, index: placed.index, reason }));
    });
  });
}

/** Every bucket that a selector names. */
export function bucketsNamed(owners: readonly SelectorOwner[]): string[] {
  const names = placeSelectors(owners)
    .flatMap(valuesOf)
    .flatMap(({ value }) => BUCKET_ARN.exec(value)?.[1] ?? []);
  return [...new Set(names)].sort();
}

function valuesOf(placed: PlacedSelector): { value: string; where: string }[] {
  if (placed.form === 'basic')
    return (placed.selector.DataResources ?? []).flatMap(({ Type = '', Values }) =>
      (Values ?? []).map((value) => ({ value, where: Type })),
    );
  if (placed.form === 'advanced') return (placed.selector.FieldSelectors ?? []).flatMap(fieldValues);
  return [];
}

function fieldValues({ Field = '', ...operators }: FieldSelector): { value: string; where: string }[] {
  return Object.entries(operators).flatMap(([operator, values]) =>
    (values ?? []).map((value) => ({ value, where: `${Field} ${operator}` })),
  );
}
