import { jsonl } from './jsonl.ts';
import { junit } from './junit.ts';
import type { Report } from './report.ts';
import { text } from './text.ts';

/** What a format may be told; each takes what it needs. All else comes from the run. */
export interface FormatOptions {
  readonly color?: boolean | undefined;
  readonly verbose?: boolean | undefined;
}

/** Every format by the name that `--output NAME=PATH` uses. A new one is a file beside this and a line here. */
export const formats = {
  text: (options) => text(options),
  jsonl: () => jsonl(),
  junit: () => junit(),
} as const satisfies Record<string, (options: FormatOptions) => Report>;

export type FormatName = keyof typeof formats;

export function isFormat(name: string): name is FormatName {
  return Object.hasOwn(formats, name);
}
