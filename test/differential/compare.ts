import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { HOUR } from '../../src/chain/location.ts';
import type { Finding } from '../../src/report/finding.ts';
import type { Altered } from './alterations.ts';
import type { ReferenceRun } from './reference.ts';

export interface OurRun {
  readonly code: number;
  readonly findings: readonly Finding[];
}

/** Why the two differ on one object or on the whole run. `unexplained` must never come out. */
export type Reason = string;

export interface Disagreement {
  readonly story: string;
  readonly about: string;
  readonly reference: string;
  readonly ours: string;
  readonly reason: Reason;
  /** Whether the reference finds a fault where we find none. */
  readonly weAreLaxer: boolean;
}

/** Every object on which both have an opinion and the opinions differ, and the run as a whole. */
export function compare(altered: Altered, reference: ReferenceRun, ours: OurRun): Disagreement[] {
  const disagreements: Disagreement[] = [];
  const add = (about: string, said: string, our: string, reason: Reason, weAreLaxer: boolean) =>
    disagreements.push({ story: altered.story, about, reference: said, ours: our, reason, weAreLaxer });

  for (const [key, said] of reference.objects) {
    const about = ours.findings.filter(({ subject }) => subject.key === key && subject.type !== 'object');
    const verdicts = about.filter(({ control }) => /^(digest|log)-/.test(control));
    const outcomes = new Set(about.map(({ outcome }) => outcome));
    const our = about.map(({ control }) => control).join(', ') || 'nothing';
    if (said === 'valid' && [...outcomes].some((outcome) => outcome !== 'pass')) {
      add(key, said, our, stricter(about), false);
    } else if (said !== 'valid' && !outcomes.has('fail')) {
      const uncertain = verdicts.find(({ outcome }) => outcome === 'inconclusive');
      if (about.length === 0 && ours.findings.some(({ control }) => control === 'digest-malformed')) {
        add(key, said, our, 'its digest is malformed here, so what it names is not read', false);
        continue;
      }
      if (about.length === 0 && ours.findings.some((finding) => leavesOut(finding, endOf(key)))) {
        add(
          key,
          said,
          our,
          'told as uncovered time: only an attested digest is believed about the one before it',
          false,
        );
        continue;
      }
      add(key, said, our, uncertain ? unsure(uncertain) : laxer(altered, key, said, about), uncertain === undefined);
    }
  }

  const theirs = reference.code === 0 ? 'exit 0' : `exit ${reference.code}`;
  if (reference.code === 0 && ours.code !== 0) {
    const kinds = [...new Set(ours.findings.filter(({ outcome }) => outcome !== 'pass').map(({ control }) => control))];
    for (const kind of kinds) add('the run', theirs, kind, STRICTER[kind] ?? 'unexplained', false);
  } else if (reference.code !== 0 && ours.code === 0) {
    const explained = disagreements.filter(({ weAreLaxer }) => weAreLaxer);
    const reason = explained.length > 0 ? 'see its objects' : 'unexplained';
    add('the run', theirs, 'exit 0', reason, true);
  }
  return disagreements;
}

/** What we find and the reference does not look at, by the verdict. */
const STRICTER: Readonly<Record<string, Reason>> = {
  'digest-malformed':
    'it ignores bytes after the gzip member of a digest, and reads fields only as far as it uses them',
  'digest-mismatched': 'it does not compare account, algorithm and end time with the place',
  'digest-missing': 'it does not look for hours that no digest names',
  'digest-unsigned': 'it stops at a digest without signature',
  'digest-key-unknown': 'public key unknown: inconclusive here, INVALID there',
  'digest-signature-invalid': 'it does not reach digests outside the chain it follows',
  'digest-misplaced': 'it does not reach digests outside the chain it follows',
  'link-broken': 'it follows links without comparing the hash that they attest',
  'link-discontinuous': 'it does not compare the windows of neighbours',
  'log-malformed': 'this version ignores bytes after the gzip member of a log, and a cut trailer',
  'log-altered': 'it does not reach logs of digests outside the chain it follows',
  'log-missing': 'it does not reach logs of digests outside the chain it follows',
  'log-unattested': 'logs of a digest that did not verify: told here, passed over there',
  'object-undigested': 'it does not look for logs that no digest names',
  'object-foreign': 'it does not look for strangers',
  'coverage-gap': 'a gap is told and exits with 0 there',
  'coverage-head-missing': 'it does not hold the range against what it found',
  'coverage-tail-stale': 'it does not hold the range against what it found',
  'coverage-nothing-found': 'nothing found exits with 0 there',
};

function stricter(about: readonly Finding[]): Reason {
  const finding = about.find(({ outcome }) => outcome === 'fail') ?? about.find(({ outcome }) => outcome !== 'pass');
  return STRICTER[finding?.control ?? ''] ?? 'unexplained';
}

function unsure({ control }: Finding): Reason {
  return `${control}: inconclusive here, INVALID there`;
}

/** Where we accept what the reference refuses, the bytes themselves must show why. */
function laxer({ built, range }: Altered, key: string, said: string, about: readonly Finding[]): Reason {
  const evidence = about.find(({ outcome }) => outcome === 'pass')?.evidence ?? {};
  const object = built.objects.get(key);
  if (/signature verification failed/.test(said) && evidence['signatureFrom'] === 'successor') {
    return 'signature metadata removed: the successor repeats the signature, and it verifies';
  }
  if (!object) return endOf(key) < range.start ? 'it asks for a digest before the range' : 'unexplained';
  const stored = object.body;
  if (/invalid format/.test(said) && stored[0] === 0x7b && attested(built, key).has(sha256(stored))) {
    return 'stored without compression: the content has the attested hash';
  }
  const inflated = stored[0] === 0x1f ? sha256(gunzipSync(stored)) : '';
  if (/hash value/.test(said) && attested(built, key).has(inflated)) {
    return 'the attested hash is written in capitals: the content has it';
  }
  if (endOf(key) < range.start) return 'it judges a digest before the range';
  return 'unexplained';
}

/** Hashes that any digest in the bucket names for the log, in small letters. */
function attested({ objects }: Altered['built'], log: string): Set<string> {
  const hashes = new Set<string>();
  for (const [key, { body }] of objects) {
    if (!key.includes('/CloudTrail-Digest/')) continue;
    const text = gunzipSync(body).toString('utf8');
    for (const [, name, hash = ''] of text.matchAll(/"s3Object":"([^"]+)","hashValue":"([0-9A-Fa-f]{64})"/g)) {
      if (name === log) hashes.add(hash.toLowerCase());
    }
  }
  return hashes;
}

/** Whether a finding says that the hour which ends then is not covered. */
function leavesOut({ control, outcome, evidence }: Finding, end: number): boolean {
  if (!control.startsWith('coverage-') || outcome !== 'fail') return false;
  return Date.parse(String(evidence['from'])) < end && Date.parse(String(evidence['to'])) > end - HOUR;
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function endOf(key: string): number {
  const [, y, mo, d, h, mi, s] =
    /_(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z(?:_backfill)?\.json\.gz$/.exec(key) ?? [];
  return Date.parse(`${y}-${mo}-${d}T${h}:${mi}:${s}Z`);
}
