import { fail, look, pass } from '../answer.ts';
import { control } from '../control.ts';
import { trails } from '../world.ts';

export const trail07 = control({
  id: 'TRAIL-07',
  title: 'log file validation is on',
  severity: 'high',
  remedy:
    'aws cloudtrail update-trail --enable-log-file-validation; note the date: logs delivered before it stay unproven',
  calls: ['DescribeTrails'],
  none: 'there is no trail',
  over: trails,
  check: ({ description }) =>
    look({ description }, ({ description: { LogFileValidationEnabled = false } }) =>
      LogFileValidationEnabled
        ? pass('log file validation is on', { LogFileValidationEnabled })
        : fail('log file validation is off: no digests are written, later alterations cannot be shown', {
            LogFileValidationEnabled,
          }),
    ),
});
