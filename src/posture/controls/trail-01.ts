import type { Subject } from '../../report/finding.ts';
import { type Answer, cannotTell, fail, pass } from '../answer.ts';
import { control } from '../control.ts';
import { lackingOf } from '../evidence.ts';
import { allTrails, notCollected, type Targets, theAccount, type World } from '../world.ts';

export const trail01 = control({
  id: 'TRAIL-01',
  title: 'the audit trail exists',
  severity: 'critical',
  remedy: 'create a multi-Region trail that writes to the log-archive bucket',
  calls: ['DescribeTrails'],
  none: 'no trail is expected',
  over: expectations,
  check: (expected, world) => (expected === null ? anyTrail(world) : oneTrail(expected, world)),
});

/** Each trail that the config names; with none named, the account, which ought to have one at least. */
function expectations(world: World): Targets<string | null> {
  const named = world.scope.trails.map(({ arn }) => ({ subject: subjectOf(arn), of: arn }));
  if (named.length > 0) return { list: named, unseen: [] };
  return { list: theAccount(world).list.map(({ subject }) => ({ subject, of: null })), unseen: [] };
}

function subjectOf(arn: string): Subject {
  const [, , , region = '', account = '', name = ''] = arn.split(':');
  return { type: 'trail', arn, account, region, trail: name.replace(/^trail\//, '') };
}

function oneTrail(arn: string, { snapshot }: World): Answer {
  const description = snapshot.trails.find((trail) => trail.arn === arn)?.description ?? notCollected('DescribeTrails');
  if (description.state === 'unknown') return cannotTell([description]);
  const facts = { api: 'DescribeTrails', TrailARN: arn };
  return description.state === 'known' ? pass('the trail exists', facts) : fail('there is no such trail', facts);
}

function anyTrail(world: World): Answer {
  const found = allTrails(world);
  const seen = found.filter(({ description }) => description.state === 'known').map(({ arn }) => arn);
  if (seen.length > 0) return pass('there is a trail', { api: 'DescribeTrails', trails: seen });
  const lists = world.snapshot.trailLists.map(({ list }) => list);
  const lacking = lists.length === 0 ? [notCollected('DescribeTrails')] : lackingOf(lists);
  const unread = lackingOf(found.map(({ description }) => description));
  if (lacking.length + unread.length > 0) return cannotTell([...lacking, ...unread]);
  return fail('there is no trail: nothing that happens in this account is recorded', {
    api: 'DescribeTrails',
    trails: [],
    regions: world.snapshot.trailLists.map(({ region }) => region),
  });
}
