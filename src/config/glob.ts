/** `*` is any text, `?` one character, everything else itself. Time grows with the product of the lengths at worst. */
export function globMatches(pattern: string, value: string): boolean {
  let p = 0;
  let v = 0;
  /** Where to come back to when what follows the last `*` does not fit: that `*` then takes one character more. */
  let star = -1;
  let taken = 0;
  while (v < value.length) {
    if (p < pattern.length && pattern[p] === '*') {
      star = p++;
      taken = v;
    } else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === value[v])) {
      p++;
      v++;
    } else if (star >= 0) {
      p = star + 1;
      v = ++taken;
    } else {
      return false;
    }
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}
