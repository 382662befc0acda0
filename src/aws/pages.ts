/** More pages than any list of a service that is read whole can have. */
const MAX_PAGES = 10_000;

/** A list that comes back to where it was, or says that there is more and not where, has not been read. */
export class EndlessPages extends Error {
  override readonly name = 'EndlessPages';
}

/**
 * The pages of a list, one after the other. `next`: the token of the page after this one, `undefined` after the last,
 * `null` where there is more and nothing says where. Throws `EndlessPages`, and what `page` throws.
 */
export async function* pagesOf<T>(
  page: (token: string | undefined) => Promise<T>,
  next: (page: T) => string | null | undefined,
): AsyncGenerator<T> {
  const seen = new Set<string>();
  let token: string | undefined;
  do {
    const one = await page(token);
    yield one;
    const following = next(one);
    if (following === null || (following !== undefined && seen.has(following)) || seen.size === MAX_PAGES) {
      throw new EndlessPages('the pages of the list have no end');
    }
    token = following;
    if (token !== undefined) seen.add(token);
  } while (token !== undefined);
}
