import { describe, expect, it } from 'vitest';
import { toFinding } from '../../src/chain/meaning.ts';
import { verdict } from '../../src/chain/verdict.ts';
import { csv, html, json, terminal, visible, xml } from '../../src/report/escape.ts';
import { junit } from '../../src/report/junit.ts';
import { tally } from '../../src/report/tally.ts';
import { readJunit } from '../report/junit-reader.ts';
import { FUZZ_TIMEOUT, fuzz, hostileText } from './inputs.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not come through
const OBEYED = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/;
const LONE = /\p{Surrogate}/u;

/** Undoes `visible`. */
function unescaped(shown: string): string {
  return shown.replace(/\\u([0-9a-f]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

describe('no sink obeys what a stranger wrote', { timeout: FUZZ_TIMEOUT }, () => {
  it('what is shown can be seen, on one line, and tells different texts apart', () => {
    fuzz(0.06, hostileText, (text) => {
      const shown = visible(text);
      expect(shown).not.toMatch(OBEYED);
      expect(shown).not.toMatch(LONE);
      expect(unescaped(shown)).toBe(text);
    });
  });

  it('a terminal, and the runners that read its lines', () => {
    fuzz(0.05, hostileText, (text) => {
      const shown = terminal(text);
      expect(shown).not.toMatch(OBEYED);
      expect(shown).not.toMatch(/^\s*::|##(?:vso)?\[/);
      expect(unescaped(shown)).toBe(text);
    });
  });

  it('JSON parses to the same value', () => {
    fuzz(0.03, hostileText, (text) => {
      const line = json({ [text]: text });
      expect(line).not.toMatch(OBEYED);
      const value = JSON.parse(line) as Record<string, string>;
      expect(Object.entries(value)).toEqual(Object.entries({ [text]: text }));
    });
  });

  it('HTML, CSV and XML keep it inside its place', () => {
    fuzz(0.05, hostileText, (text) => {
      expect(html(text)).not.toMatch(/[<>"']|&(?!(?:amp|lt|gt|quot|#\d+);)/);
      expect(csv(text)).toMatch(/^"(?:[^"]|"")*"$/);
      expect(csv(text)).not.toMatch(/^"[\s]*[=+\-@]/);
      expect(xml(text)).not.toMatch(OBEYED);
    });
  });

  it('a JUnit file is well formed, whatever stands in keys and reasons', () => {
    fuzz(0.006, hostileText, (text) => {
      // Account, Region and trail come from the key grammar, so they are words.
      const subject = { type: 'object', bucket: text, key: text } as const;
      const finding = toFinding(verdict('object-foreign', subject, { reason: text }));
      const report = junit();
      const counts = tally();
      counts.add(finding);
      const run = {
        tool: 'trailseal',
        version: text,
        command: 'verify',
        arguments: { [text]: text },
        window: null,
        clock: '2026-03-01T00:00:00Z',
        identity: text,
        inputs: { [text]: text },
      } as const;
      const requests = { list: 0, get: 0, bytes: 0 };
      const summary = counts.summary({ complete: true, chains: [], requests, elapsedMs: 0 });
      const file = report.start(run) + report.step(finding) + report.end(summary);
      expect(readJunit(file).cases.some(({ outcome }) => outcome === 'failure')).toBe(true);
    });
  });
});
