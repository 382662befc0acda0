import { json } from './escape.ts';
import type { Report } from './report.ts';

/** The canonical form: header, findings, summary, one JSON object a line. Every other format can be made from it. */
export function jsonl(): Report {
  return {
    start: (run) => line('run', run),
    step: (finding) => line('finding', finding),
    end: (summary) => line('summary', summary),
  };
}

function line(type: 'run' | 'finding' | 'summary', content: object): string {
  return `${json({ type, ...content })}\n`;
}
