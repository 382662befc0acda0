/** What the test server knows of a request when it decides. */
export interface Asked {
  /** `GetObject`, `ListObjectsV2`, `HeadBucket`, `ListPublicKeys`… */
  readonly operation: string;
  readonly bucket: string;
  readonly key: string;
  /** Of the credentials that signed it; `''` if unsigned. */
  readonly accessKeyId: string;
  /** The Region it was signed for. */
  readonly region: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly url: string;
}

export type FaultAnswer =
  | { readonly status: number; readonly code: string; readonly message?: string; readonly region?: string }
  /** A status with no body, or with one that is not from S3. */
  | { readonly status: number; readonly body: string }
  /** The connection is cut before the answer. */
  | 'reset'
  /** Headers and half of the body, then the connection is cut. */
  | 'truncate'
  /** Headers and half of the body, then silence. */
  | 'stall'
  /** Silence. */
  | 'hang'
  /** The answer as it should be, later. */
  | { readonly delayMs: number };

/** Goes wrong for the requests that match all that is given. */
export interface Fault {
  readonly operation?: string;
  readonly bucket?: string;
  readonly key?: string | RegExp;
  readonly accessKeyId?: string;
  /** Requests that match are let through this many times first. */
  readonly after?: number;
  /** How often it goes wrong; always by default. */
  readonly times?: number;
  readonly answer: FaultAnswer;
}

export class Faults {
  readonly #rules: { fault: Fault; seen: number }[] = [];

  add(fault: Fault): void {
    this.#rules.push({ fault, seen: 0 });
  }

  clear(): void {
    this.#rules.length = 0;
  }

  /** The first fault that this request meets. */
  meet(asked: Asked): FaultAnswer | null {
    for (const rule of this.#rules) {
      const { operation, bucket, key, accessKeyId, after = 0, times = Number.POSITIVE_INFINITY, answer } = rule.fault;
      if (operation !== undefined && operation !== asked.operation) continue;
      if (bucket !== undefined && bucket !== asked.bucket) continue;
      if (accessKeyId !== undefined && accessKeyId !== asked.accessKeyId) continue;
      if (typeof key === 'string' && key !== asked.key) continue;
      if (key instanceof RegExp && !key.test(asked.key)) continue;
      rule.seen++;
      if (rule.seen > after && rule.seen <= after + times) return answer;
    }
    return null;
  }
}
