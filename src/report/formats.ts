import type { Finding } from './finding.ts';
import type { Report } from './report.ts';
import type { Place } from './sarif.ts';

/** What a format may be told; each takes what it needs. All else comes from the run. */
export interface FormatOptions {
  readonly color?: boolean | undefined;
  readonly verbose?: boolean | undefined;
  /** The line of the config that demands what a finding is about. */
  readonly locate?: ((finding: Finding) => Place) | undefined;
}

/** Writes one run. */
export type Format = (options: FormatOptions) => Report;

/**
 * Every format by the name that `--output NAME=PATH` uses, loaded when it is asked for. A new one is a file beside this
 * and a line here.
 */
export const formats = {
  text: () => import('./text.ts').then(({ text }) => text),
  jsonl: () =>
    import('./jsonl.ts').then(
      ({ jsonl }) =>
        () =>
          jsonl(),
    ),
  junit: () =>
    import('./junit.ts').then(
      ({ junit }) =>
        () =>
          junit(),
    ),
  markdown: () =>
    import('./markdown.ts').then(
      ({ markdown }) =>
        () =>
          markdown(),
    ),
  html: () =>
    import('./html.ts').then(
      ({ html }) =>
        () =>
          html(),
    ),
  sarif: () => import('./sarif.ts').then(({ sarif }) => sarif),
  ocsf: () =>
    import('./ocsf.ts').then(
      ({ ocsf }) =>
        () =>
          ocsf(),
    ),
  csv: () =>
    import('./csv.ts').then(
      ({ csv }) =>
        () =>
          csv(),
    ),
} as const satisfies Record<string, () => Promise<Format>>;

export type FormatName = keyof typeof formats;

export function isFormat(name: string): name is FormatName {
  return Object.hasOwn(formats, name);
}
