const STAR = -1;
const ANY = -2;

/**
 * A set of strings written as AWS writes patterns: `*` any run of characters, `?` one character, else the character
 * itself. `exact` is false when a policy variable (`${…}`) had to be widened to `*`: such a glob holds at least the
 * strings the policy means, so it may show that two sets are apart, never that one lies within it.
 */
export interface Glob {
  readonly text: string;
  readonly tokens: readonly number[];
  readonly exact: boolean;
}

const VARIABLE = /\$\{(?:\$|[^}$]*)\}/;

export function glob(text: string): Glob {
  const tokens: number[] = [];
  const parts = text.split(VARIABLE);
  for (const [index, part] of parts.entries()) {
    if (index > 0) pushStar(tokens);
    for (const char of part) {
      if (char === '*') pushStar(tokens);
      else tokens.push(char === '?' ? ANY : (char.codePointAt(0) ?? 0));
    }
  }
  return { text, tokens, exact: parts.length === 1 };
}

/** The one string `text`, its wildcards taken as ordinary characters (variables are still variables). */
export function literal(text: string): Glob {
  if (VARIABLE.test(text)) return { ...glob(text), exact: false };
  return { text, tokens: Array.from(text, (char) => char.codePointAt(0) ?? 0), exact: true };
}

function pushStar(tokens: number[]): void {
  if (tokens.at(-1) !== STAR) tokens.push(STAR);
}

export const hasWildcard = (pattern: Glob): boolean => pattern.tokens.some((token) => token < 0);

/** Folded to lower case, for the parts of a policy that AWS compares without regard to case. */
export function foldCase(pattern: Glob): Glob {
  const tokens = pattern.tokens.map((token) =>
    token < 0 ? token : (String.fromCodePoint(token).toLowerCase().codePointAt(0) ?? token),
  );
  return { ...pattern, tokens };
}

/** Whether some string may lie in both: false is a proof. Time is the product of the two lengths, never more. */
export function intersects(a: Glob, b: Glob): boolean {
  return table(a.tokens, b.tokens, true, (here, there, below, right, diagonal) => {
    if (here === STAR || there === STAR) return below || right;
    return diagonal && (here === there || here === ANY || there === ANY);
  });
}

/** Whether every string of `inner` lies in `outer`: true is a proof. */
export function contains(outer: Glob, inner: Glob): boolean {
  if (!outer.exact) return false;
  return table(outer.tokens, inner.tokens, false, (here, there, below, right, diagonal) => {
    if (here === STAR) return below || right;
    return diagonal && there !== STAR && (here === there || here === ANY);
  });
}

export const matches = (pattern: Glob, text: string): boolean => contains(pattern, literal(text));

type Cell = (here: number, there: number, below: boolean, right: boolean, diagonal: boolean) => boolean;

/**
 * Fills the table "can the rest of `a` be matched against the rest of `b`" from the ends backwards, one row at a time.
 * Past its end a side holds only the empty string: a star of `a` matches that, a star of `b` only if `starOfBMayVanish`.
 */
function table(a: readonly number[], b: readonly number[], starOfBMayVanish: boolean, cell: Cell): boolean {
  if (literalHeadsDiffer(a, b)) return false;
  let next = new Uint8Array(b.length + 1);
  next[b.length] = 1;
  if (starOfBMayVanish && b.at(-1) === STAR) next[b.length - 1] = 1;
  let row = new Uint8Array(b.length + 1);
  for (let i = a.length - 1; i >= 0; i--) {
    const here = a[i] ?? 0;
    row[b.length] = here === STAR ? (next[b.length] ?? 0) : 0;
    for (let j = b.length - 1; j >= 0; j--) {
      row[j] = cell(here, b[j] ?? 0, next[j] === 1, row[j + 1] === 1, next[j + 1] === 1) ? 1 : 0;
    }
    [next, row] = [row, next];
  }
  return next[0] === 1;
}

function literalHeadsDiffer(a: readonly number[], b: readonly number[]): boolean {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const here = a[i] ?? 0;
    const there = b[i] ?? 0;
    if (here < 0 || there < 0) return false;
    if (here !== there) return true;
  }
  return false;
}
