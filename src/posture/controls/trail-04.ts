import { cannotTell, fail, look, pass } from '../answer.ts';
import { control } from '../control.ts';
import { lackingOf } from '../evidence.ts';
import { enabledRegions, loggingTrails } from '../recorders.ts';
import { theAccount } from '../world.ts';

export const trail04 = control({
  id: 'TRAIL-04',
  title: 'every Region in use has a logging trail',
  severity: 'high',
  remedy: 'turn single-Region trails into one multi-Region trail',
  calls: ['ListRegions', 'DescribeTrails', 'GetTrailStatus'],
  none: 'there is no account',
  over: theAccount,
  check: (world) => {
    const everywhere = loggingTrails(world, { account: null, region: null });
    const names = everywhere.sure.map(({ arn }) => arn);
    // By definition a multi-Region trail covers every Region that is switched on, today's and tomorrow's.
    if (names.length > 0) return pass('a multi-Region trail is logging', { trails: names });
    return look({ regions: world.snapshot.regions }, ({ regions }) => {
      const enabled = enabledRegions(regions);
      const bare = enabled
        .map((region) => ({ region, ...loggingTrails(world, { account: null, region }) }))
        .filter(({ sure }) => sure.length === 0);
      const facts = { enabledRegions: enabled, uncovered: bare.map(({ region }) => region) };
      if (bare.length === 0) return pass('every Region has a logging trail', facts);
      const lacking = lackingOf(bare.flatMap(({ unsure }) => unsure));
      return bare.every(({ unsure }) => unsure.length > 0)
        ? cannotTell(lacking, facts)
        : fail(`no trail is logging in ${bare.map(({ region }) => region).join(', ')}`, facts);
    });
  },
});
