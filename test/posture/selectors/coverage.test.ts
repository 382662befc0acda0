import { describe, expect, it } from 'vitest';
import { bucketCoverage } from '../../../src/posture/selectors/data.ts';
import { bucketsNamed, lintSelectors } from '../../../src/posture/selectors/lint.ts';
import { managementCoverage, SOURCE_CLASSES } from '../../../src/posture/selectors/management.ts';
import { OPERATIONS } from '../../../src/posture/selectors/shapes.ts';
import type { EventSelectors, FieldSelector } from '../../../src/posture/trail-facts.ts';

const data = (...fields: FieldSelector[]): EventSelectors => ({
  AdvancedEventSelectors: [
    {
      Name: 'all S3 data events',
      FieldSelectors: [
        { Field: 'eventCategory', Equals: ['Data'] },
        { Field: 'resources.type', Equals: ['AWS::S3::Object'] },
        ...fields,
      ],
    },
  ],
});
const management = (...fields: FieldSelector[]): EventSelectors => ({
  AdvancedEventSelectors: [{ FieldSelectors: [{ Field: 'eventCategory', Equals: ['Management'] }, ...fields] }],
});
const basic = (...values: string[]): EventSelectors => ({
  EventSelectors: [{ DataResources: [{ Type: 'AWS::S3::Object', Values: values }] }],
});
const owned = (...lists: EventSelectors[]) => lists.map((selectors, index) => ({ owner: `trail-${index}`, selectors }));
const arn = (condition: Omit<FieldSelector, 'Field'>): FieldSelector => ({ Field: 'resources.ARN', ...condition });

describe('object events of the bucket "state"', () => {
  const cases: [string, EventSelectors[], string[], 'full' | 'partial' | 'none', 'full' | 'partial' | 'none'][] = [
    ['nothing set records no data events', [{}], [], 'none', 'none'],
    ['basic, all buckets', [basic('arn:aws:s3')], [], 'full', 'full'],
    ['basic, all buckets with colons', [basic('arn:aws:s3:::')], [], 'full', 'full'],
    ['basic, the bucket', [basic('arn:aws:s3:::state/')], [], 'full', 'full'],
    ['basic, the bucket without a slash', [basic('arn:aws:s3:::state')], [], 'full', 'full'],
    ['basic, a bucket whose name begins like it', [basic('arn:aws:s3:::state-other/')], [], 'none', 'none'],
    ['basic, a bucket whose name it begins with', [basic('arn:aws:s3:::sta')], [], 'partial', 'partial'],
    ['basic, a longer prefix', [basic('arn:aws:s3:::state/env:/')], [], 'partial', 'partial'],
    [
      'basic, a longer prefix that holds the scope',
      [basic('arn:aws:s3:::state/env:/')],
      ['env:/prod/'],
      'full',
      'full',
    ],
    ['basic, another partition', [basic('arn:aws-cn:s3:::state/')], [], 'none', 'none'],
    ['basic, an empty value', [basic('')], [], 'partial', 'partial'],
    [
      'basic, only Lambda',
      [{ EventSelectors: [{ DataResources: [{ Type: 'AWS::Lambda::Function', Values: ['arn:aws:lambda'] }] }] }],
      [],
      'none',
      'none',
    ],
    [
      'basic, write only',
      [
        {
          EventSelectors: [
            { ReadWriteType: 'WriteOnly', DataResources: [{ Type: 'AWS::S3::Object', Values: ['arn:aws:s3'] }] },
          ],
        },
      ],
      [],
      'none',
      'full',
    ],
    ['advanced, all buckets', [data()], [], 'full', 'full'],
    ['advanced, the bucket', [data(arn({ StartsWith: ['arn:aws:s3:::state/'] }))], [], 'full', 'full'],
    [
      'advanced, Equals on the bucket is one literal',
      [data(arn({ Equals: ['arn:aws:s3:::state/'] }))],
      [],
      'partial',
      'partial',
    ],
    ['advanced, Equals without the slash', [data(arn({ Equals: ['arn:aws:s3:::state'] }))], [], 'none', 'none'],
    [
      'advanced, an asterisk is literal',
      [data(arn({ StartsWith: ['arn:aws:s3:::state/*'] }))],
      [],
      'partial',
      'partial',
    ],
    ['advanced, another bucket', [data(arn({ StartsWith: ['arn:aws:s3:::other/'] }))], [], 'none', 'none'],
    ['advanced, all but another bucket', [data(arn({ NotStartsWith: ['arn:aws:s3:::other/'] }))], [], 'full', 'full'],
    ['advanced, all but this bucket', [data(arn({ NotStartsWith: ['arn:aws:s3:::state/'] }))], [], 'none', 'none'],
    [
      'advanced, all but a folder',
      [data(arn({ NotStartsWith: ['arn:aws:s3:::state/tmp/'] }))],
      [],
      'partial',
      'partial',
    ],
    [
      'advanced, all but a folder outside the scope',
      [data(arn({ NotStartsWith: ['arn:aws:s3:::state/tmp/'] }))],
      ['env:/'],
      'full',
      'full',
    ],
    ['advanced, all but some endings', [data(arn({ NotEndsWith: ['.tflock'] }))], [], 'partial', 'partial'],
    ['advanced, only lock files', [data(arn({ EndsWith: ['.tflock'] }))], ['*.tflock'], 'full', 'full'],
    ['advanced, write half', [data({ Field: 'readOnly', Equals: ['false'] })], [], 'none', 'full'],
    [
      'advanced, two halves add up',
      [data({ Field: 'readOnly', Equals: ['false'] }), data({ Field: 'readOnly', Equals: ['true'] })],
      [],
      'full',
      'full',
    ],
    [
      'advanced, eventName',
      [data({ Field: 'eventName', Equals: ['PutObject', 'DeleteObject'] })],
      [],
      'partial',
      'partial',
    ],
    [
      'advanced, userIdentity.arn',
      [data({ Field: 'userIdentity.arn', NotEquals: ['arn:aws:iam::1:role/x'] })],
      [],
      'partial',
      'partial',
    ],
    [
      'advanced, access points only',
      [data({ Field: 'resources.type', Equals: ['AWS::S3::AccessPoint'] })],
      [],
      'none',
      'none',
    ],
    ['advanced, management only', [management()], [], 'none', 'none'],
    [
      'keys covered by different trails',
      [basic('arn:aws:s3:::state/a/'), basic('arn:aws:s3:::state/b/')],
      ['a/', 'b/'],
      'full',
      'full',
    ],
    ['one key prefix of two', [basic('arn:aws:s3:::state/a/')], ['a/', 'b/'], 'partial', 'partial'],
    ['both lists at once', [{ ...basic('arn:aws:s3'), ...data() }], [], 'partial', 'partial'],
  ];
  it.each(cases)('%s', (_, lists, keys, read, write) => {
    const scope = { partition: 'aws', bucket: 'state', keys };
    expect(bucketCoverage(owned(...lists), scope, 'read').kind).toBe(read);
    expect(bucketCoverage(owned(...lists), scope, 'write').kind).toBe(write);
  });

  it('names the trail, the selector and the reason', () => {
    const coverage = bucketCoverage(
      owned({}, data(arn({ Equals: ['arn:aws:s3:::state/'] }))),
      { partition: 'aws', bucket: 'state', keys: [] },
      'write',
    );
    expect(coverage).toEqual({
      kind: 'partial',
      by: [
        {
          owner: 'trail-1',
          form: 'advanced',
          index: 0,
          reason: 'only events with resources.ARN Equals arn:aws:s3:::state/',
        },
      ],
    });
  });
});

describe('management events', () => {
  const all = 'read kms, read rdsdata, read other, write kms, write rdsdata, write other';
  it.each<[string, EventSelectors[], string]>([
    ['nothing set records all', [{}], all],
    ['basic, nothing said', [{ EventSelectors: [{}] }], all],
    ['basic, without management events', [{ EventSelectors: [{ IncludeManagementEvents: false }] }], ''],
    [
      'basic, write only',
      [{ EventSelectors: [{ ReadWriteType: 'WriteOnly' }] }],
      'write kms, write rdsdata, write other',
    ],
    [
      'basic, without KMS',
      [{ EventSelectors: [{ ExcludeManagementEventSources: ['kms.amazonaws.com'] }] }],
      'read rdsdata, read other, write rdsdata, write other',
    ],
    ['advanced, everything', [management()], all],
    ['advanced, read', [management({ Field: 'readOnly', Equals: ['true'] })], 'read kms, read rdsdata, read other'],
    [
      'advanced, halves on two trails',
      [management({ Field: 'readOnly', Equals: ['true'] }), management({ Field: 'readOnly', Equals: ['false'] })],
      all,
    ],
    [
      'advanced, without RDS data',
      [management({ Field: 'eventSource', NotEquals: ['rdsdata.amazonaws.com'] })],
      'read kms, read other, write kms, write other',
    ],
    [
      'advanced, KMS only',
      [management({ Field: 'eventSource', Equals: ['kms.amazonaws.com'] })],
      'read kms, write kms',
    ],
    [
      'advanced, without IAM',
      [management({ Field: 'eventSource', NotEquals: ['iam.amazonaws.com'] })],
      'read kms, read rdsdata, write kms, write rdsdata',
    ],
    ['advanced, data only', [data()], ''],
    [
      'advanced, a field of event data stores',
      [management({ Field: 'sessionCredentialFromConsole', Equals: ['true'] })],
      '',
    ],
  ])('%s', (_, lists, full) => {
    const matrix = managementCoverage(owned(...lists));
    const cells = OPERATIONS.flatMap((operation) =>
      SOURCE_CLASSES.filter((source) => matrix[operation][source].kind === 'full').map(
        (source) => `${operation} ${source}`,
      ),
    );
    expect(cells.join(', ')).toBe(full);
  });
});

describe('values that do not mean what they seem to', () => {
  it.each<[string, EventSelectors, string[]]>([
    ['a sound one', basic('arn:aws:s3:::state/'), []],
    ['all buckets', basic('arn:aws:s3', 'arn:aws:s3:::'), []],
    [
      'no slash',
      basic('arn:aws:s3:::state'),
      ['AWS::S3::Object holds "arn:aws:s3:::state": without a trailing slash it may match other buckets'],
    ],
    [
      'an asterisk',
      data(arn({ StartsWith: ['arn:aws:s3:::state/*'] })),
      ['resources.ARN StartsWith holds "arn:aws:s3:::state/*": an asterisk is an ordinary character here'],
    ],
    [
      'a bucket that is gone',
      basic('arn:aws:s3:::gone/'),
      ['AWS::S3::Object names the bucket gone, which does not exist'],
    ],
    [
      'twice',
      basic('arn:aws:s3:::state/', 'arn:aws:s3:::state/'),
      ['AWS::S3::Object holds "arn:aws:s3:::state/" twice'],
    ],
  ])('%s', (_, lists, reasons) => {
    expect(lintSelectors(owned(lists), new Set(['gone'])).map(({ reason }) => reason)).toEqual(reasons);
  });

  it('lists the buckets that selectors name', () => {
    expect(
      bucketsNamed(owned(basic('arn:aws:s3:::b/', 'arn:aws:s3'), data(arn({ StartsWith: ['arn:aws:s3:::a/x'] })))),
    ).toEqual(['a', 'b']);
  });
});
