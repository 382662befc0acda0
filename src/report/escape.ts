/**
 * Object keys, trail names and policy text are written by strangers. Here is what each sink must be protected from; a
 * format uses these and nothing else on every string that it did not write itself.
 */

/**
 * What no eye can tell apart or a terminal obeys: control characters, invisible and direction-changing characters,
 * lone surrogates, non-characters; and a backslash before `u`, so that no two strings come out the same.
 */
const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u{fffe}\u{ffff}\u115f\u1160\u3164\uffa0]|\p{Variation_Selector}|\u034f|\p{Cs}|\\(?=u)/gu;

function unicode(text: string): string {
  let out = '';
  for (let i = 0; i < text.length; i++) out += `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`;
  return out;
}

/** One line in which everything can be seen: `\u000a` for a line feed. Different strings stay different. */
export function visible(text: string): string {
  return text.replace(INVISIBLE, unicode);
}

/**
 * No command to the runner of GitHub or Azure, which read every line that is printed: `##[` counts anywhere in it, `::`
 * at its beginning.
 */
function harmless(shown: string): string {
  return shown.replace(/##(?=(?:vso)?\[)/g, '\\u0023#').replace(/^(\s*):(?=:)/, '$1\\u003a');
}

/** For a terminal or a CI log: nothing that moves the cursor, and no command. */
export function terminal(text: string): string {
  return harmless(visible(text));
}

/** For XML attributes and text (the writer adds `&lt;` and its like), and for Jenkins, which obeys `[[ATTACHMENT|`. */
export function xml(text: string): string {
  return terminal(text).replace(/\[(?=\[ATTACHMENT\|)/g, '\\u005b');
}

/** JSON that holds no character a terminal or a log obeys; parses to the same value. */
export function json(value: unknown): string {
  return JSON.stringify(value)
    .replace(/[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}\u{fffe}\u{ffff}]/gu, unicode)
    .replace(/##(?=(?:vso)?\[)/g, '\\u0023#');
}

const ENTITIES: { readonly [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For HTML text and quoted attributes. */
export function html(text: string): string {
  return visible(text)
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
    .replace(/#(?=#)/g, '&#35;');
}

/**
 * For Markdown: whatever may be syntax in some dialect becomes a character reference, which is text in all of them.
 * Addresses are kept from turning into links. Not for the start of a line.
 */
export function markdown(text: string): string {
  return visible(text)
    .replace(/[^\p{L}\p{M}\p{N} .,/:;=+%?-]/gu, (character) => `&#${character.codePointAt(0)};`)
    .replace(/:(?=\/\/)/g, '&#58;')
    .replace(/(www)\./gi, '$1&#46;');
}

/** One CSV field, quoted; what a spreadsheet would take for a formula, or for our mark against that, is marked with `'`. */
export function csv(text: string): string {
  const shown = terminal(text).replaceAll('"', '""');
  return /^\s*['=+\-@\uff1d\uff0b\uff0d\uff20]/.test(shown) ? `"'${shown}"` : `"${shown}"`;
}

/** For SARIF messages: neither a link `[text](target)` nor a placeholder `{0}`. */
export function sarifText(text: string): string {
  return visible(text)
    .replace(/[\\[\]]/g, '\\$&')
    .replace(/[{}]/g, '$&$&');
}
