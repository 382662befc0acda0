import { fail, look, pass } from '../answer.ts';
import { control } from '../control.ts';
import { trails } from '../world.ts';

export const trail11 = control({
  id: 'TRAIL-11',
  title: 'Insights watch for unusual activity',
  severity: 'info',
  optional: true,
  remedy: 'aws cloudtrail put-insight-selectors with ApiCallRateInsight and ApiErrorRateInsight',
  calls: ['GetInsightSelectors'],
  none: 'there is no trail',
  over: trails,
  check: ({ insightSelectors }) =>
    look({ insightSelectors }, (seen) => {
      const kinds = (seen.insightSelectors?.InsightSelectors ?? []).flatMap(({ InsightType }) => InsightType ?? []);
      const facts = { api: 'GetInsightSelectors', InsightSelectors: kinds };
      return kinds.length > 0 ? pass('Insights are on', facts) : fail('Insights are off', facts);
    }),
});
