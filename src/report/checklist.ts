import { terminal } from './escape.ts';
import type { Finding } from './finding.ts';

const WIDTH = 110;

/** Findings that need no room of their own, by the group of their control (`LOCK` of `LOCK-02`). */
export interface Checklist {
  add(finding: Finding): void;
  readonly total: number;
  /** A paragraph a group: what was found, each thing said once, broken only between two things. */
  lines(): readonly string[];
}

export function checklist(): Checklist {
  const groups = new Map<string, Map<string, number>>();
  /** What follows a semicolon holds for many: said once, below, under a number. */
  const caveats: string[] = [];
  let total = 0;

  function numbered(message: string): string {
    const [said = '', ...rest] = message.split('; ');
    if (rest.length === 0) return said;
    const caveat = rest.join('; ');
    if (!caveats.includes(caveat)) caveats.push(caveat);
    return `${said} [${caveats.indexOf(caveat) + 1}]`;
  }

  return {
    add({ control, message }) {
      total += 1;
      const group = control.replace(/-\d+$/, '');
      const messages = groups.get(group) ?? new Map<string, number>();
      const said = numbered(message);
      groups.set(group, messages.set(said, (messages.get(said) ?? 0) + 1));
    },
    get total() {
      return total;
    },
    lines() {
      const indent = Math.max(0, ...[...groups.keys()].map(({ length }) => length));
      const paragraphs = [...groups].flatMap(([group, messages]) => {
        const said = [...messages].map(([message, times]) =>
          terminal(times === 1 ? message : `${message} (×${times})`),
        );
        return paragraph(said).map(
          (line, index) => `  ${(index === 0 ? terminal(group) : '').padEnd(indent)}  ${line}`,
        );
      });
      return [...paragraphs, ...caveats.map((caveat, index) => `  [${index + 1}] ${terminal(caveat)}`)];
    },
  };
}

function paragraph(parts: readonly string[]): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + part.length + 3 <= WIDTH) lines[lines.length - 1] = `${last} · ${part}`;
    else lines.push(part);
  }
  return lines;
}
