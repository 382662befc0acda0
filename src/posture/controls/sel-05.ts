import { fail, look, pass } from '../answer.ts';
import { control } from '../control.ts';
import { lintSelectors } from '../selectors/lint.ts';
import { trails } from '../world.ts';

export const sel05 = control({
  id: 'SEL-05',
  title: 'selector values mean what they seem to',
  severity: 'low',
  remedy: 'replace the asterisk by StartsWith, end bucket ARNs with a slash, drop values of buckets that are gone',
  calls: ['GetEventSelectors'],
  none: 'there is no trail',
  over: trails,
  check: ({ arn, eventSelectors }, { snapshot }) =>
    look({ eventSelectors }, (seen) => {
      const gone = snapshot.buckets.filter(({ location }) => location.state === 'absent').map(({ bucket }) => bucket);
      const notes = lintSelectors([{ owner: arn, selectors: seen.eventSelectors }], new Set(gone));
      const facts = {
        api: 'GetEventSelectors',
        selectors: notes.map(({ form, index, reason }) => ({ form, index, reason })),
      };
      return notes.length === 0
        ? pass('selector values are sound', facts)
        : fail(notes.map(({ reason }) => reason).join('; '), facts);
    }),
});
