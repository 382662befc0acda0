/**
 * What comes in pages, one by one: for listings of few, since each step costs more than what is done with it. Nothing
 * for `null`, the versions of a source that has none.
 */
export async function* each<T>(pages: AsyncIterable<readonly T[]> | null): AsyncGenerator<T, void, undefined> {
  for await (const page of pages ?? []) yield* page;
}
