import { duplicateKey } from './duplicate-key.ts';

/** A JSON object of which nothing is known yet. */
export type Fields = Readonly<Record<string, unknown>>;

/** The bytes are not what CloudTrail signs; the message names the field. */
export class MalformedFields extends Error {
  override readonly name = 'MalformedFields';
}

/** Reads signed bytes strictly: one JSON object in UTF-8. Throws `MalformedFields`. */
export function parseFields(content: Uint8Array): Fields {
  let json: string;
  let value: unknown;
  try {
    json = new TextDecoder('utf-8', { fatal: true }).decode(content);
    value = JSON.parse(json);
  } catch (cause) {
    throw new MalformedFields('not a JSON text in UTF-8', { cause });
  }
  // A signature holds over the bytes, and these bytes can be read in two ways.
  const twice = duplicateKey(json, value);
  if (twice !== null) throw new MalformedFields(`it gives ${JSON.stringify(twice)} twice in one object`);
  if (!isFields(value)) throw new MalformedFields('not a JSON object');
  return value;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Throws `MalformedFields` unless there is a text, not empty, under the name. */
export function text(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value !== 'string' || value === '') throw new MalformedFields(`${name} is not a text`);
  return value;
}

/** Throws `MalformedFields` unless there is a text of that form under the name. */
export function match(fields: Fields, name: string, pattern: RegExp): string {
  const value = text(fields, name);
  if (!pattern.test(value)) throw new MalformedFields(`${name} has not the expected form`);
  return value;
}
