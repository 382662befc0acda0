import type { Range } from '../chain/coverage.ts';
import type { KeySource } from '../keys/key-source.ts';
import type { Source } from '../source/source.ts';
import type { Scope } from '../verify/scope.ts';
import { type Io, UsageError } from './command.ts';
import type { VerifyOptions } from './verify-plan.ts';

export function s3Targets(
  _given: VerifyOptions,
  _io: Io,
): Promise<{ source: Source; scope: Scope; keys: (range: Range) => KeySource }[]> {
  throw new UsageError('give --directory');
}
