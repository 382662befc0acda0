import type { Chain } from '../chain/location.ts';
import { logFolder } from '../chain/location.ts';
import type { LogClaim } from '../chain/signing.ts';
import { verdict } from '../chain/verdict.ts';
import type { Subject } from '../report/finding.ts';
import { each } from '../source/pages.ts';
import type { Head } from '../source/reading.ts';
import { type Location, SourceError } from '../source/source.ts';
import { checkLock, checkLog } from './check-log.ts';
import { isMarker } from './discover.ts';
import { explainGap, type Gap } from './explain-gap.ts';
import { judgeVersions } from './judge-versions.ts';
import { foreign, refusal } from './refusal.ts';
import type { ChainRecord, Region } from './region.ts';
import { bucketOf, type Session, told, type VerifyStep } from './session.ts';
import { findStrays, liesInDay, type Walked } from './strays.ts';

/** What the first stage hands to the second, in the order of the report: verdicts as they are, and work that has to wait for the store. */
export type Task =
  | VerifyStep
  | { readonly type: 'claim'; readonly claim: LogClaim; readonly subject: Subject; readonly record: ChainRecord }
  | {
      readonly type: 'lock';
      readonly location: Location;
      readonly subject: Subject;
      readonly head: Head | null;
      readonly record: ChainRecord | null;
    }
  | {
      readonly type: 'gap';
      readonly chain: Chain;
      readonly gap: Gap;
      readonly record: ChainRecord;
    }
  | { readonly type: 'day'; readonly region: Region; readonly day: string; readonly listing: Listings }
  | { readonly type: 'before'; readonly region: Region; readonly listing: Listings }
  | { readonly type: 'undigested'; readonly region: Region; readonly listing: Listings }
  | { readonly type: 'strays'; readonly walked: Walked; readonly listing: Listings }
  /** A listing that is under way. */
  | { readonly type: 'begun'; readonly steps: Promise<readonly VerifyStep[]> }
  /** What a chain that was followed into another place gives to do there. */
  | { readonly type: 'elsewhere'; readonly session: Session; readonly task: Task };

/** The listings of a Region's folder that were started; a refused one is told once. */
export interface Listings {
  readonly started: Promise<void>[];
  refused: boolean;
}

const NO_LOG = 'the key is not one that CloudTrail gives a log file';

/**
 * Begins what lists a folder as soon as it is due, while logs are still read that were claimed before: a busy day has
 * dozens of pages, and none can be asked for before the one before it has come.
 */
export function beginTask(session: Session, task: Task): Task {
  switch (task.type) {
    case 'day':
      return begun(session, task.listing, () => listLogs(session, task.region, task.day, task.listing));
    case 'before':
      return begun(session, task.listing, () => listEarlierLogs(session, task.region, task.listing));
    case 'strays':
      return begun(session, null, () => tellStrays(session, task));
    case 'elsewhere':
      return { ...task, task: beginTask(task.session, task.task) };
    default:
      return task;
  }
}

function begun({ ahead }: Session, listing: Listings | null, list: () => Promise<readonly VerifyStep[]>): Task {
  const steps = ahead.begin(list);
  // What it tells is not held until the Region is over: it may be something about each of its logs.
  const over = steps.then(() => undefined);
  // An error is thrown where the answer is looked at, if it is.
  over.catch(() => undefined);
  listing?.started.push(over);
  return { type: 'begun', steps };
}

/** Does the work of one task. Never throws for a trouble of the world. */
export function finishTask(session: Session, task: Task): readonly VerifyStep[] | Promise<readonly VerifyStep[]> {
  switch (task.type) {
    case 'verdict':
    case 'chain':
      return [task];
    case 'claim':
      return finishLog(session, task);
    case 'lock':
      return finishLock(session, task);
    case 'gap':
      return explainGap(session, task.chain, task.gap).then((judged) => [told(judged, task.record)]);
    case 'begun':
      return task.steps;
    case 'day':
    case 'before':
    case 'strays':
      return finishTask(session, beginTask(session, task));
    case 'undigested':
      return Promise.all(task.listing.started).then(() => undigested(session, task.region));
    case 'elsewhere':
      return finishElsewhere(task);
  }
}

async function finishLog(
  session: Session,
  { claim, subject, record }: Extract<Task, { type: 'claim' }>,
): Promise<VerifyStep[]> {
  const { pace } = session.request;
  pace?.asked(claim.key);
  const { verdicts, storedBytes } = await checkLog(session, claim, subject);
  pace?.answered(claim.key);
  record.logs++;
  record.bytes += storedBytes;
  return verdicts.map((judged) => told(judged, record));
}

async function finishLock(
  { request }: Session,
  { location, subject, head, record }: Extract<Task, { type: 'lock' }>,
): Promise<VerifyStep[]> {
  if (request.lock === undefined) return [];
  const verdicts = await checkLock(request.source, request.lock, location, subject, head);
  return verdicts.map((judged) => told(judged, record));
}

async function finishElsewhere({ session, task }: Extract<Task, { type: 'elsewhere' }>): Promise<VerifyStep[]> {
  const steps = await finishTask(session, task);
  return steps.filter((step) => step.type !== 'verdict' || session.elsewhere.isNews(step.verdict));
}

async function listLogs(
  session: Session,
  { tree, inventory, heard }: Region,
  day: string,
  listing: Listings,
): Promise<VerifyStep[]> {
  const steps: VerifyStep[] = [];
  const prefix = `${logFolder(tree.root, tree.region)}${day}/`;
  const { deaf } = heard();
  const about: Subject = { type: 'object', account: tree.account, region: tree.region, ...bucketOf(session) };
  try {
    for await (const page of session.lister.objects(prefix)) {
      for (const observed of page) {
        const { key, current, kept } = observed;
        if (current && !inventory.listed(current, deaf) && !isMarker(current)) {
          steps.push(foreign(session, key, NO_LOG));
        }
        if (kept > 1 || current === null) {
          steps.push(...judgeVersions(observed, about).map((judged) => told(judged)));
        }
      }
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    if (!listing.refused) steps.push(refusal(session, prefix, error.trouble));
    listing.refused = true;
  }
  inventory.listedAll(day);
  return steps;
}

/** Log files of days before the first digest: nothing can vouch for them. */
async function listEarlierLogs(
  session: Session,
  { tree, inventory, heard }: Region,
  listing: Listings,
): Promise<VerifyStep[]> {
  const steps: VerifyStep[] = [];
  const prefix = logFolder(tree.root, tree.region);
  const end = `${prefix}${inventory.firstDay()}/`;
  const { deaf } = heard();
  try {
    for await (const object of each(session.request.source.list(prefix))) {
      if (object.key >= end) break;
      if (inventory.listed(object, deaf) || isMarker(object)) continue;
      // The others are strays of the tree.
      if (liesInDay(prefix, object.key, session.request.now)) steps.push(foreign(session, object.key, NO_LOG));
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    if (!listing.refused) steps.push(refusal(session, prefix, error.trouble));
    listing.refused = true;
  }
  return steps;
}

async function tellStrays(
  session: Session,
  { walked, listing }: Extract<Task, { type: 'strays' }>,
): Promise<VerifyStep[]> {
  const { source, now } = session.request;
  try {
    const strays = await findStrays(source, walked, now);
    return strays.map(({ key, reason }) => foreign(session, key, reason));
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    if (listing.refused) return [];
    listing.refused = true;
    const { code, message: detail } = error.trouble;
    const subject: Subject = { type: 'object', ...bucketOf(session), key: walked.folder };
    return [told(verdict('object-unlisted', subject, { code, detail }))];
  }
}

function undigested(session: Session, { tree, inventory, heard }: Region): VerifyStep[] {
  return inventory.undigested(heard()).map(({ key, lastModified, doubt }) => {
    const { account, region } = tree;
    const subject: Subject = { type: 'object', account, region, ...bucketOf(session), key };
    const facts = { lastModified: new Date(lastModified).toISOString() };
    if (doubt !== null) return told(verdict('object-unattested', subject, { ...facts, trail: doubt }));
    return told(verdict('object-undigested', subject, facts));
  });
}
