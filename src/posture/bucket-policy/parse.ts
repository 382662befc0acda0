import { duplicateKey } from '../../json/duplicate-key.ts';
import { actionGlob } from './action.ts';
import { type Condition, parseCondition } from './condition.ts';
import { type Glob, glob } from './glob.ts';
import { EVERYONE, type Principal, parsePrincipal } from './principal.ts';

/** A listed set or, if `except`, everything but the list (`NotAction`, `NotPrincipal`, `NotResource`). */
export interface Selection<T> {
  readonly except: boolean;
  readonly list: readonly T[];
}

export interface Statement {
  /** Position in the document, from 0. */
  readonly index: number;
  readonly sid: string | null;
  readonly effect: 'Allow' | 'Deny';
  /** Empty with `except` false in an identity policy, which names nobody. */
  readonly principals: Selection<Principal>;
  /** Lower-cased. */
  readonly actions: Selection<Glob>;
  readonly resources: Selection<Glob>;
  readonly conditions: readonly Condition[];
}

export interface Policy {
  readonly statements: readonly Statement[];
}

/** Where a document is not a policy that can be judged. `path` as in `Statement[2].Action`. */
export interface PolicyError {
  readonly path: string;
  readonly problem: string;
}

export type ParsedPolicy =
  | { readonly ok: true; readonly policy: Policy }
  | { readonly ok: false; readonly errors: readonly PolicyError[] };

/** `resource`: on a bucket, access point or key. `identity`: on a role or user. `trust`: who may assume a role. */
export type PolicyKind = 'resource' | 'identity' | 'trust';

/** AWS takes 20 KB for a bucket, 32 KB for a key; more is no policy of theirs. In UTF-16 code units. */
const MAX_POLICY_LENGTH = 40_960;
const MAX_STATEMENTS = 500;
const MAX_ENTRIES = 2_500;

const ELEMENTS = new Set(['Version', 'Id', 'Statement']);
const STATEMENT_ELEMENTS = new Set([
  ...['Sid', 'Effect', 'Principal', 'NotPrincipal', 'Action', 'NotAction', 'Resource', 'NotResource', 'Condition'],
]);

/** Text as the API returns it, or a document already parsed. Nothing unknown is passed over: it is an error. */
export function parsePolicy(input: unknown, kind: PolicyKind = 'resource'): ParsedPolicy {
  const document = parseText(typeof input === 'string' ? input : (JSON.stringify(input) ?? ''));
  if ('problem' in document) return { ok: false, errors: [{ path: '', problem: document.problem }] };
  const reader = new Reader(kind);
  const statements = reader.policy(document.value);
  return reader.errors.length > 0 ? { ok: false, errors: reader.errors } : { ok: true, policy: { statements } };
}

function parseText(text: string): { readonly value: unknown } | { readonly problem: string } {
  if (text.length > MAX_POLICY_LENGTH) return { problem: `longer than ${MAX_POLICY_LENGTH} characters` };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: 'not JSON' };
  }
  const twice = duplicateKey(text, value);
  return twice === null ? { value } : { problem: `key ${JSON.stringify(twice)} is given twice in one object` };
}

type Fields = { readonly [name: string]: unknown };
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

class Reader {
  readonly errors: PolicyError[] = [];
  private entries = 0;
  private readonly kind: PolicyKind;

  constructor(kind: PolicyKind) {
    this.kind = kind;
  }

  policy(value: unknown): readonly Statement[] {
    if (!isObject(value)) return this.refuse('', 'not an object') ?? [];
    this.onlyKnown(value, ELEMENTS, '');
    const version = value['Version'];
    if (version !== undefined && version !== '2012-10-17' && version !== '2008-10-17') {
      this.refuse('Version', 'neither 2012-10-17 nor 2008-10-17');
    }
    const list = Array.isArray(value['Statement']) ? value['Statement'] : [value['Statement']];
    if (list.length === 0) this.refuse('Statement', 'empty');
    if (list.length > MAX_STATEMENTS) return this.refuse('Statement', `more than ${MAX_STATEMENTS}`) ?? [];
    return list.flatMap((item: unknown, index) => this.statement(item, index) ?? []);
  }

  private statement(value: unknown, index: number): Statement | null {
    const path = `Statement[${index}]`;
    if (!isObject(value)) return this.refuse(path, 'not an object');
    this.onlyKnown(value, STATEMENT_ELEMENTS, path);
    const sid = value['Sid'];
    if (sid !== undefined && typeof sid !== 'string') this.refuse(`${path}.Sid`, 'not a string');
    const effect = value['Effect'];
    if (effect !== 'Allow' && effect !== 'Deny') return this.refuse(`${path}.Effect`, 'neither Allow nor Deny');
    return {
      index,
      sid: typeof sid === 'string' && sid !== '' ? sid : null,
      effect,
      principals: this.principals(value, path),
      actions: this.globs(value, 'Action', path, actionGlob),
      resources:
        this.kind === 'trust' && !('Resource' in value || 'NotResource' in value)
          ? { except: false, list: [glob('*')] }
          : this.globs(value, 'Resource', path, glob),
      conditions: this.conditions(value['Condition'], `${path}.Condition`),
    };
  }

  private principals(statement: Fields, path: string): Selection<Principal> {
    const except = 'NotPrincipal' in statement;
    if (this.kind === 'identity') {
      if (except || 'Principal' in statement) this.refuse(`${path}.Principal`, 'not allowed in an identity policy');
      return { except: false, list: [] };
    }
    const name = this.oneOf(statement, 'Principal', path);
    const value = statement[name];
    if (value === '*') return { except, list: [EVERYONE] };
    if (!isObject(value)) {
      this.refuse(`${path}.${name}`, 'neither "*" nor an object');
      return { except, list: [] };
    }
    const list = Object.entries(value).flatMap(([key, entry]) =>
      this.strings(entry, `${path}.${name}.${key}`).flatMap((text) => {
        return parsePrincipal(key, text) ?? this.refuse(`${path}.${name}.${key}`, 'no kind of principal') ?? [];
      }),
    );
    if (Object.keys(value).length === 0) this.refuse(`${path}.${name}`, 'empty');
    return { except, list };
  }

  private globs(statement: Fields, element: string, path: string, make: (text: string) => Glob): Selection<Glob> {
    const name = this.oneOf(statement, element, path);
    const texts = this.strings(statement[name], `${path}.${name}`);
    return { except: name.startsWith('Not'), list: texts.map(make) };
  }

  private oneOf(statement: Fields, element: string, path: string): string {
    const given = [element, `Not${element}`].filter((name) => name in statement);
    if (given.length === 2) this.refuse(`${path}.${element}`, `stands beside Not${element}`);
    return given[0] ?? element;
  }

  private conditions(value: unknown, path: string): readonly Condition[] {
    if (value === undefined) return [];
    if (!isObject(value)) return this.refuse(path, 'not an object') ?? [];
    return Object.entries(value).flatMap(([operator, keys]) => {
      if (!isObject(keys)) return this.refuse(`${path}.${operator}`, 'not an object') ?? [];
      return Object.entries(keys).map(([key, values]) =>
        parseCondition(operator, key, this.scalars(values, `${path}.${operator}.${key}`)),
      );
    });
  }

  private strings(value: unknown, path: string): readonly string[] {
    const list: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (value === undefined) this.refuse(path, 'missing');
    else if (list.length === 0) this.refuse(path, 'empty');
    else if (!list.every((item) => typeof item === 'string'))
      this.refuse(path, 'neither a string nor a list of strings');
    else this.count(list.length, path);
    return list.filter((item) => typeof item === 'string');
  }

  private scalars(value: unknown, path: string): readonly string[] {
    const list: readonly unknown[] = Array.isArray(value) ? value : [value];
    const isScalar = (item: unknown) => ['string', 'number', 'boolean'].includes(typeof item);
    if (!list.every(isScalar)) this.refuse(path, 'holds something other than strings, numbers and booleans');
    this.count(list.length, path);
    return list.map(String);
  }

  private onlyKnown(value: Fields, known: ReadonlySet<string>, path: string): void {
    for (const name of Object.keys(value)) {
      if (!known.has(name))
        this.refuse(path === '' ? name : `${path}.${name}`, 'not an element of the policy language');
    }
  }

  private count(entries: number, path: string): void {
    this.entries += entries;
    if (this.entries > MAX_ENTRIES && this.entries - entries <= MAX_ENTRIES) {
      this.refuse(path, `more than ${MAX_ENTRIES} entries in all`);
    }
  }

  private refuse(path: string, problem: string): null {
    if (this.errors.length < 20) this.errors.push({ path, problem });
    return null;
  }
}
