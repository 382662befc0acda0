import { fail, look, notApplicable, pass } from '../answer.ts';
import type { Acl } from '../bucket-facts.ts';
import { control } from '../control.ts';
import { logBuckets } from '../world.ts';

export const own02 = control({
  id: 'OWN-02',
  title: 'ACLs grant to nobody but the owner',
  severity: 'high',
  remedy: 'set ObjectOwnership=BucketOwnerEnforced, or aws s3api put-bucket-acl --acl private',
  calls: ['GetBucketOwnershipControls', 'GetBucketAcl'],
  none: 'there is no log bucket',
  over: logBuckets,
  check: ({ facts: { ownership, acl } }) =>
    look({ ownership }, (seen) => {
      const ObjectOwnership = seen.ownership?.Rules?.[0]?.ObjectOwnership ?? null;
      if (ObjectOwnership === 'BucketOwnerEnforced') return notApplicable('ACLs are switched off', { ObjectOwnership });
      return look({ acl }, ({ acl: read }) => {
        const grants = othersIn(read);
        return grants.length === 0
          ? pass('the ACL names nobody but the owner', { ObjectOwnership })
          : fail(`the ACL grants to ${grants.join(', ')}`, { ObjectOwnership, grants });
      });
    }),
});

const othersIn = ({ Owner, Grants = [] }: Acl): readonly string[] =>
  Grants.flatMap(({ Grantee, Permission }) => {
    const isOwner = Grantee?.ID !== undefined && Grantee.ID === Owner?.ID;
    return isOwner
      ? []
      : [`${Grantee?.URI ?? Grantee?.ID ?? Grantee?.Type ?? 'somebody'} (${Permission ?? 'unknown'})`];
  });
