import { describe, expect, it } from 'vitest';
import { json, terminal, visible, xml } from '../../src/report/escape.ts';
import { fc } from '../support/property.ts';
import { HOSTILE } from './sample.ts';

const anyString = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((n) => String.fromCharCode(n)) });
const nearEscapes = fc.string({ unit: fc.constantFrom('\\', 'u', '0', '1', '\u0001', '\n', '[', ':', '#', ' ') });

describe('visible', () => {
  it.each([
    ['a\u0000b', 'a\\u0000b'],
    ['a\\u0000b', 'a\\u005cu0000b'],
    ['C:\\dir', 'C:\\dir'],
    ['a\nb\r\t', 'a\\u000ab\\u000d\\u0009'],
    ['\u009b31m\u007f', '\\u009b31m\\u007f'],
    ['\ud800x\udc00', '\\ud800x\\udc00'],
    ['\ufffe\uffff\ufeff', '\\ufffe\\uffff\\ufeff'],
    ['\u202eabc\u2066', '\\u202eabc\\u2066'],
    ['ключ 日志 🔒 é', 'ключ 日志 🔒 é'],
  ])('%j', (text, expected) => {
    expect(visible(text)).toBe(expected);
  });

  it.each([visible, terminal, xml])('keeps different strings different', (escaper) => {
    fc.assert(fc.property(fc.oneof(anyString, nearEscapes), (text) => decoded(escaper(text)) === text));
  });
});

describe('terminal', () => {
  it.each([
    ['::error::x', '\\u003a:error::x'],
    ['  ::set-output', '  \\u003a:set-output'],
    ['arn:aws:s3:::bucket', 'arn:aws:s3:::bucket'],
    ['x ##vso[task.complete]', 'x \\u0023#vso[task.complete]'],
    ['##[error]', '\\u0023#[error]'],
    ['## title', '## title'],
  ])('%j', (text, expected) => {
    expect(terminal(text)).toBe(expected);
  });
});

describe('json', () => {
  it.each(HOSTILE)('%j parses back and holds nothing a terminal obeys', (text) => {
    const written = json({ key: text });
    expect(JSON.parse(written)).toEqual({ key: text });
    expect(written).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]|##(vso)?\[/u);
  });
});

/** The reader's side, written on its own: every `\uXXXX` is one UTF-16 unit. */
function decoded(text: string): string {
  return text.replace(/\\u([0-9a-f]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
