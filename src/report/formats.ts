import { csv } from './csv.ts';
import type { Finding } from './finding.ts';
import { html } from './html.ts';
import { jsonl } from './jsonl.ts';
import { junit } from './junit.ts';
import { markdown } from './markdown.ts';
import { ocsf } from './ocsf.ts';
import type { Report } from './report.ts';
import { type Place, sarif } from './sarif.ts';
import { text } from './text.ts';

/** What a format may be told; each takes what it needs. All else comes from the run. */
export interface FormatOptions {
  readonly color?: boolean | undefined;
  readonly verbose?: boolean | undefined;
  /** The line of the config that demands what a finding is about. */
  readonly locate?: ((finding: Finding) => Place) | undefined;
}

/** Every format by the name that `--output NAME=PATH` uses. A new one is a file beside this and a line here. */
export const formats = {
  text: (options) => text(options),
  jsonl: () => jsonl(),
  junit: () => junit(),
  markdown: () => markdown(),
  html: () => html(),
  sarif: (options) => sarif(options),
  ocsf: () => ocsf(),
  csv: () => csv(),
} as const satisfies Record<string, (options: FormatOptions) => Report>;

export type FormatName = keyof typeof formats;

export function isFormat(name: string): name is FormatName {
  return Object.hasOwn(formats, name);
}
