/**
 * Every threat and trouble that verify has to catch, with the verdict it comes to and the test that proves it. The title
 * is searched for in the file; `docs/threats.md` is written from this table.
 */
export interface Threat {
  readonly group: string;
  readonly threat: string;
  /** Verdict kinds, or a note. */
  readonly verdict: string;
  readonly file: string;
  readonly title: string;
}

const MAIN = 'test/verify/threats.test.ts';
const LINES = 'test/verify/threat-lines.test.ts';
const LAYOUTS = 'test/verify/layouts.test.ts';
const GAPS = 'test/verify/gaps-and-moves.test.ts';
const OWED = 'test/verify/owed-regions.test.ts';
const RUNS = 'test/commands/verify.test.ts';
const NIGHTS = 'test/commands/nightly.test.ts';
const GONE = 'test/commands/credentials-gone.test.ts';
const STORE = 'test/source/s3-trouble.test.ts';
const KEYS = 'test/conformance/keys.test.ts';
const INFLATE = 'test/stream/inflate.test.ts';

type Row = readonly [threat: string, verdict: string, file: string, title: string];

const ROWS: Readonly<Record<string, readonly Row[]>> = {
  Deleting: [
    ['one log', 'log-missing', MAIN, 'one log deleted'],
    ['one digest', 'digest-missing', MAIN, 'one digest deleted'],
    ['several digests in a row, each counted', 'digest-missing', MAIN, 'three digests in a row deleted: each counts'],
    [
      'the newest digests',
      'coverage-tail-stale; coverage-pending within the grace',
      MAIN,
      'the newest digests deleted, %s',
    ],
    ['the newest digests, for a run that goes on from a checkpoint', 'checkpoint-truncated', NIGHTS, "['the tail cut'"],
    [
      'a whole chain, and its checkpoint with it',
      'checkpoint-absent',
      NIGHTS,
      'a chain and its checkpoint gone together are missed',
    ],
    [
      'none, but the range ends before the checkpoint',
      'a usage error',
      NIGHTS,
      'a range that ends before what is remembered',
    ],
    ['the oldest digests', 'coverage-head-missing, digest-missing', MAIN, 'the oldest digests deleted'],
    ['all digests', 'coverage-nothing-found', MAIN, 'all deleted'],
    [
      'all hourly digests, backfill digests left',
      'coverage-nothing-found',
      LINES,
      'every hourly digest, with backfill digests left',
    ],
    [
      'the oldest backfill digest, which the next one names',
      'digest-missing',
      LAYOUTS,
      'in the range that is gone miss it, though none is before it',
    ],
    [
      'none, but the digest behind a hole cannot be read or proven, and may name another place',
      'coverage-unseen',
      GAPS,
      'to a first digest that %s, which may name where the trail was',
    ],
    [
      'a whole trail, account or Region that is asked for by name',
      'coverage-nothing-found',
      LAYOUTS,
      'what is asked for by name and not there is told, though all the rest is proven',
    ],
    [
      'digests and logs of the home Region of a trail named by its ARN',
      'coverage-nothing-found',
      OWED,
      "['the home Region', WITHOUT_HOME",
    ],
    [
      'digests and logs of another Region that a trail of all Regions logs',
      'coverage-unseen',
      OWED,
      "['one that every account has', WITHOUT_ONE",
    ],
    [
      'none, but every digest of the range is only due',
      'coverage-due',
      GAPS,
      'leaves nothing to prove yet, which is no failure',
    ],
    ['an older chain before a restart', 'coverage-head-missing', MAIN, 'an older chain before a restart deleted'],
    [
      'all but one hour of thirty days',
      'coverage-head-missing, coverage-tail-stale',
      LINES,
      'all but one hour of thirty days',
    ],
  ],
  Altering: [
    ['one letter of a log', 'log-altered', MAIN, 'one letter of a log altered'],
    ['one bit of the stored bytes', 'log-malformed', MAIN, 'one bit of the compressed stream flipped'],
    ['a log compressed at another level', 'log-intact', MAIN, 'a log recompressed: the content is the same'],
    [
      'a log stored uncompressed',
      'log-intact, with a note',
      MAIN,
      'a log stored uncompressed: the content is the same',
    ],
    ['bytes after a digest', 'digest-malformed', MAIN, 'bytes after a digest'],
    ['a second gzip member', 'log-malformed', MAIN, 'a second gzip member after a log'],
    ['a cut trailer', 'log-malformed', LINES, '%i bytes off the end of a log'],
    ['zeros after the member', 'log-malformed', MAIN, 'zeros after a log'],
    [
      'a payload in the gzip header',
      'log-intact, with a note',
      LINES,
      'a payload in the gzip header of a log is a note',
    ],
    ['a gzip bomb as a digest', 'digest-malformed', LINES, 'a digest that is a gzip bomb'],
    [
      'a gzip bomb as a log',
      'log-malformed, in bounded memory',
      INFLATE,
      'a bomb costs bounded memory and is malformed',
    ],
  ],
  Replacing: [
    [
      'a digest signed by another key under a known fingerprint',
      'digest-signature-invalid',
      MAIN,
      'a digest signed by a stranger under the known fingerprint',
    ],
    ['the same for the newest digest', 'digest-signature-invalid', MAIN, 'the newest digest signed by a stranger'],
    [
      'a digest signed again after a change',
      'link-broken',
      MAIN,
      'a digest re-signed with the genuine key after a change',
    ],
    [
      'an older digest copied over a newer key',
      'digest-misplaced',
      MAIN,
      'an older valid digest copied over a newer key',
    ],
    ['two digests swapped', 'digest-misplaced', MAIN, 'two digests swapped'],
    [
      'the signature removed',
      'digest-signed, from the successor',
      MAIN,
      'the signature removed: its successor repeats it',
    ],
    ['the newest signature removed', 'digest-unsigned', MAIN, 'the newest signature removed: nothing repeats it'],
    [
      'the signature of another digest',
      'digest-signature-invalid, link-broken',
      MAIN,
      'the signature of another digest',
    ],
    ['a digest edited', 'digest-signature-invalid, log-unattested', MAIN, 'a digest edited'],
  ],
  Adding: [
    ['a log object that no digest names', 'object-undigested', MAIN, 'a log that no digest names'],
    ['the same among several trails', 'object-undigested', LAYOUTS, 'a log that no trail names is one'],
    [
      'the same beside junk of a trail not asked for',
      'object-undigested, object-unattested',
      LAYOUTS,
      'a log that no trail names is told though a trail that is not asked for %s',
    ],
    [
      'a log name with a date far from its folder',
      'object-foreign',
      LINES,
      'a log file in the folder of a day whose name says one %s',
    ],
    ['a digest name with a date far off', 'object-foreign', LINES, 'a digest name with a date %s'],
    [
      'a digest of a made-up past',
      'digest-misplaced',
      LINES,
      'a digest name with a date in the past, in a folder of that day, when everything is asked for',
    ],
    ['a trail whose name begins with ours', 'each chain by itself', LAYOUTS, 'names that begin with each other'],
    [
      'a trail whose digests sort between ours',
      'each chain by itself',
      LAYOUTS,
      'names of which one digest sorts between those of the other',
    ],
    [
      'an object of another account in our tree',
      'object-foreign',
      LINES,
      'an object of another account in our digest tree',
    ],
    [
      'logs of an account that has no digests',
      'coverage-nothing-found',
      LINES,
      'log files of another account, without digests',
    ],
    ['an object in no folder of a Region, year, month or day', 'object-foreign', MAIN, 'where it lies %s'],
    [
      'a digest key of a time before CloudTrail',
      'object-foreign',
      LINES,
      'a digest name with a date before CloudTrail was: no hour since then is missed',
    ],
    ['the tree of an account that is none', 'object-foreign', MAIN, '%s is foreign'],
    [
      'a name in a copy on disk that is not UTF-8',
      'object-foreign; digest-error where a trail may lie behind it',
      MAIN,
      'a name in a copy on disk that is not UTF-8 is told',
    ],
    ['hostile keys', 'object-foreign', LINES, 'a key with %s'],
    ['hostile keys on a terminal', 'escaped', LINES, 'a key with %s does nothing to a terminal'],
    [
      'none, but the backfill digest of those logs cannot be read',
      'digest-unreadable',
      LAYOUTS,
      'as it cannot be read are not called undigested',
    ],
    [
      'any of these where a moved trail came from',
      'as at home, once',
      GAPS,
      'the place that a moved trail came from is looked through as well',
    ],
  ],
  Links: [
    [
      'the hash of the predecessor differs',
      'link-broken',
      MAIN,
      'a digest re-signed with the genuine key after a change',
    ],
    [
      'its signature differs',
      'link-broken',
      LINES,
      'the signature of the predecessor differs from the one that its successor attests',
    ],
    ['windows that overlap', 'link-discontinuous', MAIN, 'a window that overlaps the one before'],
    ['windows that leave a hole', 'link-discontinuous', MAIN, 'a window that leaves a hole although linked'],
    [
      'a chain that forks',
      'link-broken or link-discontinuous',
      LINES,
      'a chain that forks: both successors cannot be right',
    ],
    ['a starting digest in mid-range', 'coverage-gap', MAIN, 'a starting digest in mid-range after a stop'],
    [
      'the same with a StopLogging event',
      'coverage-gap-explained',
      GAPS,
      'is explained by an attested StopLogging event',
    ],
    [
      'a trail made anew in another home Region',
      'coverage-moved; coverage-gap for the time between',
      LAYOUTS,
      'is told once, %s',
    ],
    [
      'a made-up starting digest',
      'link-discontinuous, link-broken',
      MAIN,
      'a made-up starting digest although no hour is left out',
    ],
  ],
  Meta: [
    ['another account', 'digest-mismatched', MAIN, 'an account that is not its own'],
    ['another Region', 'digest-misplaced', LINES, 'a digest of another Region in the place of ours'],
    ['another algorithm', 'digest-mismatched', MAIN, 'a signature algorithm that is not known'],
    ['hex in capitals', 'log-intact', MAIN, 'hashes in capitals'],
    ['logFiles absent', 'digest-malformed', LINES, 'logFiles is absent'],
    ['logFiles null or no array', 'digest-malformed', MAIN, 'logFiles is %j'],
    ['100,000 logs', 'each by itself', LINES, '100,000 logs'],
    ['a log named twice', 'log-intact, twice', LINES, 'a log named twice'],
    ['a log in another bucket', 'log-missing', LINES, 'a log in another bucket'],
    ['numbers for strings', 'digest-malformed', LINES, 'a number in %s'],
    [
      'deep nesting, keys of the prototype, bytes that are no text',
      'digest-malformed',
      MAIN,
      'content that is no digest: %.20j',
    ],
    ['a key given twice, though signed', 'digest-malformed', MAIN, 'a key given twice, though signed'],
  ],
  Keys: [
    ['an unknown fingerprint', 'digest-key-unknown', MAIN, 'an unknown fingerprint'],
    ['a key that is no DER, or of another MD5', 'digest-key-unknown', KEYS, '29: a key that cannot be loaded'],
    ['SubjectPublicKeyInfo', 'digest-signed', 'test/chain/aws-vectors.test.ts', 'keys load in both DER forms'],
    [
      'validity past',
      'digest-signed, with a note',
      LINES,
      'a signature outside the validity of its key is told, not failed',
    ],
    ['ListPublicKeys in pages', 'digest-signed', LINES, 'ListPublicKeys in pages'],
    ['ListPublicKeys empty', 'digest-key-unknown', KEYS, '23: no keys at all'],
    ['ListPublicKeys refused, or in a Region not enabled', 'digest-key-unknown', LINES, 'ListPublicKeys %s'],
  ],
  Reading: [
    [
      '403 on one log, on all, on one digest',
      'log-unreadable, digest-unreadable',
      RUNS,
      'a refused read is inconclusive, and only what was refused',
    ],
    [
      'folders deeper than the search goes',
      'digest-error',
      MAIN,
      'a bucket that goes deeper than it is searched is not called proven',
    ],
    ['a store that lists everything twice', 'each once', LINES, 'each entry twice counts it once'],
    ['a store that lists keys out of order', 'digest-error', LINES, 'keys out of their order has trouble'],
    ['403 on the listing', 'digest-unreadable', RUNS, "it('listing'"],
    ['KMS', 'log-unreadable', LINES, 'KMS denied'],
    ['archived', 'log-archived', LINES, 'an archived log'],
    [
      'archived and restored',
      'read as any other',
      STORE,
      'archived objects, restored ones, versions and delete markers',
    ],
    [
      'SlowDown, 500s, resets, cut and hanging bodies',
      'retried, then log-error',
      STORE,
      '%s passes unseen when it passes, and is an error when it stays',
    ],
    [
      'credentials that expire in mid-run',
      'refreshed once',
      STORE,
      'that expire in mid-run are refreshed once for all who wait',
    ],
    [
      'credentials that stay expired',
      'run-interrupted: what is proven stands, the rest is named',
      GONE,
      '%s: one finding, exit 3',
    ],
    [
      'credentials that nobody knows, said by CloudTrail first',
      'run-interrupted',
      GONE,
      'to %s ends the run where the credentials are not known at all',
    ],
    [
      'a Region that the account has not enabled, which says the same',
      'digest-key-unknown',
      GONE,
      'is of that Region alone where the credentials are good, %s',
    ],
    [
      'another Region of the bucket',
      'found by HeadBucket',
      STORE,
      'also where HeadBucket is refused, or tells the legacy name',
    ],
    ['GetBucketLocation denied', 'never asked', 'test/conformance/command.test.ts', 'the Region of the bucket'],
    ['a missing bucket', 'digest-error', STORE, 'a bucket that is not there is an error, once found out'],
  ],
  Scale: [
    [
      'a long range',
      'work in flight bounded by the concurrency',
      LINES,
      'what is in flight depends on the concurrency, not on the range',
    ],
    ['a digest with very many logs', 'each by itself', LINES, '100,000 logs'],
    ['a log of 100 MB', 'log-intact, streamed', LINES, 'a log of 100 MB'],
  ],
};

export const THREATS: readonly Threat[] = Object.entries(ROWS).flatMap(([group, rows]) =>
  rows.map(([threat, verdict, file, title]) => ({ group, threat, verdict, file, title })),
);

const HEAD = `# What verify catches

<!-- Written from test/verify/threat-table.ts: npx vitest run test/verify/threat-table.test.ts -u -->

What may have happened to a trail, or to reading it, what \`trailseal verify\` says of it, and the test that shows it.
Refused reads are inconclusive; none of the others ends in exit code 0 unless the row says _intact_ or _signed_.`;

export function threatsMarkdown(): string {
  const groups = [...new Set(THREATS.map(({ group }) => group))];
  const tables = groups.map((group) => {
    const rows = THREATS.filter((each) => each.group === group);
    const cells = rows.map(({ threat, verdict, file, title }) => [threat, verdict, `\`${file}\`: ${title}`]);
    return `## ${group}\n\n${table([['threat', 'verdict', 'test'], ...cells])}`;
  });
  return `${[HEAD, ...tables].join('\n\n')}\n`;
}

/** Columns of one width each, as the formatter of this repository wants them. */
function table(rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows;
  const widths = head.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[]) => `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
}
