const SURROGATE_OR_ABOVE = /[\ud800-\uffff]/;

/** Order of S3 listings: by the bytes of the key in UTF-8. JavaScript's own order differs above U+D7FF only. */
export function compareKeys(a: string, b: string): number {
  if (SURROGATE_OR_ABOVE.test(a) && SURROGATE_OR_ABOVE.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : a > b ? 1 : 0;
}
