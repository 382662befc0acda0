import type { z } from 'zod';
import { issueInWords } from '../report/issue.ts';
import { keysAt } from './json-schema.ts';
import { nearest } from './nearest.ts';

/** What is wrong at one path, in words; `about` says whether the key itself or its value is meant. */
export interface Explanation {
  readonly path: readonly PropertyKey[];
  readonly about: 'key' | 'value';
  readonly message: string;
}

/** What a file has at a path: the text of a scalar as written, since what YAML makes of it may lose digits. */
export type Written = (path: readonly PropertyKey[]) => 'nothing' | { readonly scalar: string | null };

export function explain(issue: z.core.$ZodIssue, written: Written): Explanation[] {
  const { path } = issue;
  const there = written(path);
  if (there === 'nothing') return [{ path, about: 'key', message: 'is required' }];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({ path: [...path, key], about: 'key', message: unknownKey(path, key) }));
    case 'invalid_union': {
      const branch = closest(issue.errors);
      if (branch === undefined) break;
      return branch.flatMap((inner) => explain({ ...inner, path: [...path, ...inner.path] }, written));
    }
    case 'invalid_value': {
      const values = issue.values.map(String);
      const scalar = there.scalar ?? '';
      const near = nearest(scalar, values);
      const allowed = `one of ${values.join(', ')}`;
      if (scalar === '') return [{ path, about: 'value', message: `expected ${allowed}` }];
      return [
        {
          path,
          about: 'value',
          message: `${JSON.stringify(scalar)} is not ${allowed}${near === null ? '' : `; did you mean ${near}?`}`,
        },
      ];
    }
    case 'invalid_type': {
      if (issue.expected === 'string' && there.scalar !== null && /^\d{9,12}$/.test(there.scalar)) {
        return [{ path, about: 'value', message: unquotedAccount(there.scalar) }];
      }
      break;
    }
  }
  return [{ path, about: 'value', message: issueInWords(issue) }];
}

function unknownKey(path: readonly PropertyKey[], key: string): string {
  const known = keysAt(path);
  const near = nearest(key, known);
  return near === null ? `unknown key; known here: ${known.join(', ')}` : `unknown key; did you mean ${near}?`;
}

function unquotedAccount(digits: string): string {
  const quoted = `"${digits.padStart(12, '0')}"`;
  return `is read as a number, which loses leading zeros; an account id is text: write ${quoted}`;
}

/** Of the ways a value could have been right, the one it came nearest to: not another type, and wrong deepest inside. */
function closest(branches: readonly z.core.$ZodIssue[][]): z.core.$ZodIssue[] | undefined {
  const depth = (issues: readonly z.core.$ZodIssue[]): number =>
    Math.max(...issues.map((issue) => issue.path.length + (issue.code === 'invalid_type' ? 0 : 0.5)));
  return branches.toSorted((a, b) => depth(b) - depth(a))[0];
}
