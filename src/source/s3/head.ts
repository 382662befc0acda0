import type { Lock } from '../source.ts';
import type { Headers } from './answer.ts';

const META = 'x-amz-meta-';

/** What the headers of a GET tell of the object. */
export interface ObjectHead {
  /** Bytes of this answer's body; `null` if it does not say. */
  readonly length: number | null;
  readonly isChunked: boolean;
  readonly etag: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly lock: Lock | null;
  readonly lastModified: number;
}

export function readHead(headers: Headers): ObjectHead {
  const text = (name: string): string | null => {
    const value = headers[name];
    return typeof value === 'string' ? value : null;
  };
  const metadata: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (name.startsWith(META) && typeof value === 'string') metadata[name.slice(META.length)] = value;
  }
  return {
    length: /^\d{1,15}$/.test(text('content-length') ?? '') ? Number(text('content-length')) : null,
    isChunked: text('transfer-encoding') === 'chunked',
    etag: text('etag'),
    metadata,
    lock: readLock(
      text('x-amz-object-lock-mode'),
      text('x-amz-object-lock-retain-until-date'),
      text('x-amz-object-lock-legal-hold'),
    ),
    lastModified: Date.parse(text('last-modified') ?? '') || 0,
  };
}

function readLock(mode: string | null, until: string | null, hold: string | null): Lock | null {
  if (mode === null && until === null && hold === null) return null;
  const retainUntil = Date.parse(until ?? '');
  return {
    mode: mode === 'COMPLIANCE' || mode === 'GOVERNANCE' ? mode : null,
    retainUntil: Number.isNaN(retainUntil) ? null : retainUntil,
    legalHold: hold === 'ON',
  };
}
