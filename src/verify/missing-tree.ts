import { dayPath, digestFolder, logFolder, parseLogKey } from '../chain/location.ts';
import { verdict } from '../chain/verdict.ts';
import type { Subject } from '../report/finding.ts';
import { areCredentialsGone } from '../source/credentials-gone.ts';
import { each } from '../source/pages.ts';
import { SourceError } from '../source/source.ts';
import type { RegionTree } from './discover.ts';
import { newestChains } from './list-digests.ts';
import { refusal } from './refusal.ts';
import { wantsChain, wantsTree } from './scope.ts';
import { bucketOf, type Session, told, type VerifyStep } from './session.ts';
import { asked, type Successions } from './successions.ts';

/** A Region tree without any digest in or shortly before the range: who owes them? */
export async function judgeMissingTree(
  session: Session,
  tree: RegionTree,
  successions: Successions,
): Promise<readonly VerifyStep[]> {
  const { source, scope, range, inventory } = session.request;
  let unnamed = false;
  let chains: Awaited<ReturnType<typeof newestChains>>;
  try {
    chains = await newestChains(source, tree);
    const isSilent = inventory === 'full' && scope.trails !== undefined && wantsTree(scope, tree);
    unnamed = isSilent && !chains.some((chain) => wantsChain(scope, chain)) && (await hasLogs(session, tree));
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    // The listing of this folder was refused already, and that is told; credentials can go between the two.
    const isNews = areCredentialsGone(error.trouble.code);
    return isNews ? [refusal(session, digestFolder(tree.root, tree.region), error.trouble)] : [];
  }
  for (const chain of chains) if (wantsChain(scope, chain)) successions.seen(chain);
  if (!unnamed && (chains.length > 0 || scope.trails !== undefined)) return [];
  const { account, region } = tree;
  const subject: Subject = { type: 'chain', account, region, ...bucketOf(session) };
  const none = tree.logs ? 'there are log files and no digests' : 'the digest folder is empty';
  const reason = unnamed ? 'there are log files of that time and no digests, of no trail' : none;
  return [told(verdict('coverage-nothing-found', subject, { ...asked(range), reason }))];
}

/** Whether there are log files that digests would have to name by now. */
async function hasLogs({ request }: Session, { root, region }: RegionTree): Promise<boolean> {
  const { source, range, now, grace } = request;
  const folder = logFolder(root, region);
  const end = Math.min(range.end, now - grace);
  const after = range.start === null ? undefined : folder + dayPath(range.start);
  for await (const { key } of each(source.list(folder, after))) {
    const time = parseLogKey(key)?.nameTime;
    if (time === undefined || (range.start !== null && time < range.start)) continue;
    if (time < end) return true;
    if (key.slice(folder.length) > `${dayPath(end)}/\uffff`) return false;
  }
  return false;
}
