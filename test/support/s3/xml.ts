const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
  '\n': '&#10;',
};

export function escapeXml(text: string): string {
  return text.replace(/[&<>"\r\n]/g, (character) => ESCAPES[character] ?? '');
}

/** As S3 encodes keys in listings: a space is a plus, a slash stays. */
export function urlEncode(text: string): string {
  return encodeURIComponent(text).replaceAll('%2F', '/').replaceAll('%20', '+');
}

export function element(name: string, content: string): string {
  return `<${name}>${content}</${name}>`;
}

export function xmlDocument(root: string, parts: readonly string[]): string {
  const namespace = 'http://s3.amazonaws.com/doc/2006-03-01/';
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="${namespace}">${parts.join('')}</${root}>`;
}

export function errorDocument(code: string, message: string, extra = ''): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${element('Code', code)}${element('Message', escapeXml(message))}${extra}${element('RequestId', '0123456789ABCDEF')}</Error>`;
}
