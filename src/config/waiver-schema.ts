import { z } from 'zod';
import { text } from './fields.ts';
import { SCOPE_FIELDS, type ScopeField } from './scope-fields.ts';

const literal = text.describe('Literal text, or glob:PATTERN with * and ?');

const scope = z.strictObject(
  Object.fromEntries(SCOPE_FIELDS.map((field) => [field, literal.optional()])) as ScopeShape,
);

type ScopeShape = { [field in ScopeField]: z.ZodOptional<typeof literal> };

/** All of it is required: who accepted what, why, until when, and who repairs it. */
export const waiver = z
  .strictObject({
    id: text,
    control: text.describe('Control id (LOCK-03), verdict kind (log-altered) or rule id (after-hours)'),
    scope: scope.describe('What it covers; every field named must match. Integrity failures need key and sha256.'),
    reason: text,
    acceptedBy: text,
    owner: text.describe('Who repairs it'),
    expires: z.iso.date('expected a date: YYYY-MM-DD').describe('Last day it holds, UTC'),
  })
  .describe('An accepted exception');

export type Waiver = z.infer<typeof waiver>;
