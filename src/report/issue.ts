import type { z } from 'zod';

const THINGS: { readonly [type: string]: string } = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'keys with values',
  record: 'keys with values',
  array: 'a list',
  null: 'nothing',
  undefined: 'nothing',
  nan: 'not a number',
};

const FORMS: { readonly [format: string]: string } = {
  base64: 'Base64',
  datetime: 'a time such as 2026-03-01T06:00:00Z',
  url: 'an address such as https://host',
};

/** What is wrong with a value of a file, in words for whoever wrote the file: what was expected, and what is there. */
export function issueInWords(issue: z.core.$ZodIssue): string {
  // The schema's own words, where it has some, say more than any of ours.
  if (!/^(Invalid|Too|Unrecognized)\b/.test(issue.message)) return issue.message;
  switch (issue.code) {
    case 'invalid_type': {
      const [, received = ''] = /received (\w+)/i.exec(issue.message) ?? [];
      if (received === 'undefined') return 'is required';
      if (issue.expected === 'int' && received === 'number') return 'expected a whole number';
      return `expected ${thing(issue.expected)}, found ${thing(received.toLowerCase())}`;
    }
    case 'too_small':
      return issue.origin === 'string' && issue.minimum === 1
        ? 'must not be empty'
        : `expected ${amount('at least', issue.minimum, issue.origin)}`;
    case 'too_big':
      return `expected ${amount('at most', issue.maximum, issue.origin)}`;
    case 'invalid_format':
      return `expected ${FORMS[issue.format] ?? 'another form'}`;
    case 'invalid_value':
      return `expected ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
    case 'invalid_union': {
      if (issue.errors.length > 0) return [...new Set(issue.errors.flat().map(issueInWords))].join(', or ');
      return 'options' in issue && Array.isArray(issue.options)
        ? `expected one of ${issue.options.map(String).join(', ')}`
        : 'is none of the forms it may have';
    }
    case 'unrecognized_keys':
      return `unknown key ${issue.keys.map((key) => JSON.stringify(key)).join(', ')}`;
    default:
      return 'is not understood';
  }
}

/** `logBuckets[0].retention.days` */
export function keyPath(path: readonly PropertyKey[]): string {
  return path
    .map((step, depth) => {
      if (typeof step === 'number') return `[${step}]`;
      const name = String(step);
      const plain = /^[\w$-]+$/.test(name) ? name : JSON.stringify(name);
      return depth === 0 ? plain : `.${plain}`;
    })
    .join('');
}

/** The first thing that is wrong, with its place: `PublicKeyList[0].Fingerprint: 32 hex digits expected`. */
export function firstIssue({ issues: [issue] }: z.core.$ZodError): string {
  if (issue === undefined) return 'is not understood';
  return issue.path.length === 0 ? issueInWords(issue) : `${keyPath(issue.path)}: ${issueInWords(issue)}`;
}

const thing = (type: string): string => THINGS[type] ?? type;

function amount(limit: string, figure: number | bigint, origin: string): string {
  const unit = origin === 'string' ? ' characters' : origin === 'array' ? ' entries' : '';
  return `${limit} ${figure}${unit}`;
}
