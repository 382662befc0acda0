import { type Document, isAlias, isMap, isNode, isScalar, isSeq, type LineCounter, type Node, type Pair } from 'yaml';

/** A place in a file; lines and columns count from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** The node at a path; `undefined` where the document has none. */
export function nodeAt(document: Document, path: readonly PropertyKey[]): Node | undefined {
  let node = resolved(document, document.contents);
  for (const step of path)
    node = resolved(document, isMap(node) ? pairOf(node.items, step)?.value : itemOf(node, step));
  return node;
}

/** Where a path stands: its key or its value; the nearest one above where the document does not have it. */
export function placeOf(
  document: Document,
  lines: LineCounter,
  path: readonly PropertyKey[],
  about: 'key' | 'value',
): Place {
  for (let length = path.length; length > 0; length--) {
    const above = path.slice(0, length);
    const parent = nodeAt(document, above.slice(0, -1));
    const pair = isMap(parent) ? pairOf(parent.items, above.at(-1)) : undefined;
    const node =
      about === 'key' || length < path.length ? (pair?.key ?? nodeAt(document, above)) : nodeAt(document, above);
    const range = isNode(node) ? node.range : undefined;
    if (range) {
      const { line, col } = lines.linePos(range[0]);
      return { line, column: col };
    }
  }
  return { line: 1, column: 1 };
}

function resolved(document: Document, node: unknown): Node | undefined {
  if (isAlias(node)) return node.resolve(document);
  return isNode(node) ? node : undefined;
}

function pairOf(pairs: readonly Pair[], step: PropertyKey | undefined): Pair | undefined {
  return pairs.find(({ key }) => isScalar(key) && String(key.value) === step);
}

function itemOf(node: Node | undefined, step: PropertyKey): unknown {
  return isSeq(node) && typeof step === 'number' ? node.items[step] : undefined;
}
