import { cannotTell, fail, look, pass } from '../answer.ts';
import { control } from '../control.ts';
import { lackingOf } from '../evidence.ts';
import { missingManagementEvents } from '../management-events.ts';
import { enabledRegions, recorders } from '../recorders.ts';
import { theAccount, type World } from '../world.ts';

export const sel01 = control({
  id: 'SEL-01',
  title: 'management events are recorded in full',
  severity: 'high',
  remedy: 'give one trail a Management selector without readOnly and without eventSource exclusions',
  calls: ['ListRegions', 'DescribeTrails', 'GetTrailStatus', 'GetEventSelectors'],
  none: 'there is no account',
  over: theAccount,
  check: (world) => {
    const everywhere = gapsIn(world, null);
    const excused = {
      allowExcludeKms: world.scope.allowExcludeKms,
      allowExcludeRdsdata: world.scope.allowExcludeRdsdata,
    };
    if (everywhere.missing.length === 0)
      return pass('management events of all Regions are recorded', { trails: everywhere.trails, ...excused });
    return look({ regions: world.snapshot.regions }, ({ regions }) => {
      const gaps = enabledRegions(regions)
        .map((region) => ({ region, ...gapsIn(world, region) }))
        .filter(({ missing }) => missing.length > 0);
      const facts = {
        api: 'GetEventSelectors',
        missing: Object.fromEntries(gaps.map(({ region, missing }) => [region, missing])),
        ...excused,
      };
      if (gaps.length === 0) return pass('management events of every Region are recorded', facts);
      if (gaps.every(({ unsure }) => unsure.length > 0))
        return cannotTell(lackingOf(gaps.flatMap(({ unsure }) => unsure)), facts);
      const kinds = [...new Set(gaps.flatMap(({ missing }) => missing))];
      return fail(`management events are not recorded in full: ${kinds.join(', ')} in ${gaps.length} Regions`, facts);
    });
  },
});

function gapsIn(world: World, region: string | null) {
  const { sure, unsure } = recorders(world, { account: null, region });
  return { missing: missingManagementEvents(sure, world.scope), unsure, trails: sure.map(({ owner }) => owner) };
}
