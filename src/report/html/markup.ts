import { html } from '../escape.ts';

/** HTML that is known to be HTML. Everything else that gets into a page is text and is escaped on the way. */
export class Markup {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

export type Part = Markup | string | number | readonly Part[];

/** A template whose holes are text unless they hold `Markup`; there is no other way to build a page. */
export function markup(literals: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let source = literals[0] ?? '';
  for (const [i, part] of parts.entries()) source += `${render(part)}${literals[i + 1] ?? ''}`;
  return new Markup(source);
}

function render(part: Part): string {
  if (part instanceof Markup) return part.source;
  if (typeof part === 'string') return html(part);
  if (typeof part === 'number') return String(part);
  return part.map(render).join('');
}
