import { cannotTell, fail, look, pass } from '../answer.ts';
import { namedIn } from '../calls.ts';
import { control } from '../control.ts';
import { unknown } from '../evidence.ts';
import { trails } from '../world.ts';

export const trail02 = control({
  id: 'TRAIL-02',
  title: 'the trail is logging',
  severity: 'critical',
  remedy: 'aws cloudtrail start-logging; then find in the verified logs who called StopLogging',
  calls: ['GetTrailStatus'],
  none: 'there is no trail',
  over: trails,
  check: ({ status }) =>
    look({ status }, ({ status: { IsLogging, StartLoggingTime = null, StopLoggingTime = null } }) => {
      const facts = { api: 'GetTrailStatus', IsLogging, StartLoggingTime, StopLoggingTime };
      if (IsLogging === undefined)
        return cannotTell([unknown('parse', namedIn('GetTrailStatus'), 'NoIsLogging')], facts);
      if (IsLogging) return pass('the trail is logging', facts);
      return fail(`the trail is not logging${StopLoggingTime ? ` since ${StopLoggingTime}` : ''}`, facts);
    }),
});
