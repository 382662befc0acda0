import { cannotTell, fail, look, notApplicable, pass } from '../answer.ts';
import { control } from '../control.ts';
import { loggingTrails } from '../recorders.ts';
import { theAccount } from '../world.ts';

export const trail05 = control({
  id: 'TRAIL-05',
  title: 'an organization trail covers all accounts',
  severity: 'medium',
  remedy:
    'make it an organization trail, from the management account: aws cloudtrail update-trail --is-organization-trail',
  calls: ['DescribeOrganization', 'DescribeTrails', 'GetTrailStatus'],
  none: 'there is no account',
  over: theAccount,
  check: (world) => {
    if (!world.scope.organization) return notApplicable('no organization trail is demanded');
    return look({ organization: world.snapshot.organization }, ({ organization }) => {
      if (organization === null) return fail('the account is in no organization', { api: 'DescribeOrganization' });
      const { sure, unsure } = loggingTrails(world, { account: null, region: null });
      const trails = sure
        .filter(({ description }) => description.state === 'known' && description.value.IsOrganizationTrail === true)
        .map(({ arn }) => arn);
      const facts = { organization: organization.Id, trails };
      if (trails.length > 0) return pass('an organization trail is logging', facts);
      return unsure.length > 0
        ? cannotTell(unsure, facts)
        : fail('no multi-Region organization trail is logging: accounts keep their own, or none', facts);
    });
  },
});
