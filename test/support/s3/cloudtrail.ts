/** Answers of the JSON services beside S3, by the operation in `X-Amz-Target`; times in epoch seconds as AWS has them. */
export interface JsonServices {
  /** `ListPublicKeys` by Region, as the service answers it. */
  readonly publicKeys?: Readonly<Record<string, readonly PublicKeyJson[]>>;
  /** Keys a page; all by default. */
  readonly keyPage?: number;
  /** `DescribeTrails`, in every Region. */
  readonly trails?: readonly TrailJson[];
  /** `GetTrailStatus` by ARN. */
  readonly statuses?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** `ListRegions`: those enabled by default; refused where there is no answer. */
  readonly regions?: readonly string[] | 'refused';
  readonly organization?: { readonly Id: string; readonly MasterAccountId?: string };
  /** Any further operation: its answer, whatever it is asked. */
  readonly canned?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface PublicKeyJson {
  /** Base64. */
  readonly Value: string;
  readonly ValidityStartTime: number;
  readonly ValidityEndTime: number;
  readonly Fingerprint: string;
}

export interface TrailJson {
  readonly Name: string;
  readonly TrailARN: string;
  readonly S3BucketName: string;
  readonly S3KeyPrefix?: string;
  readonly HomeRegion: string;
  readonly IsMultiRegionTrail: boolean;
  readonly IsOrganizationTrail: boolean;
  readonly LogFileValidationEnabled: boolean;
}

export interface JsonAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

const DAY = 86_400;

export function answerJson(
  services: JsonServices,
  operation: string,
  region: string,
  input: Readonly<Record<string, unknown>>,
): JsonAnswer {
  const ok = (body: Readonly<Record<string, unknown>>): JsonAnswer => ({ status: 200, body });
  const refused = (__type: string, message: string): JsonAnswer => ({ status: 400, body: { __type, message } });
  const canned = services.canned?.[operation];
  if (canned) return ok(canned);
  switch (operation) {
    case 'ListPublicKeys': {
      const end = Number(input['EndTime'] ?? Date.now() / 1000);
      const start = Number(input['StartTime'] ?? end - DAY);
      const overlapping = (services.publicKeys?.[region] ?? []).filter(
        (key) => key.ValidityStartTime <= end && key.ValidityEndTime >= start,
      );
      const at = Number(input['NextToken'] ?? 0);
      const next = at + (services.keyPage ?? overlapping.length);
      const more = next < overlapping.length ? { NextToken: `${next}` } : {};
      return ok({ PublicKeyList: overlapping.slice(at, next), ...more });
    }
    case 'ListRegions': {
      const { regions = [] } = services;
      if (regions === 'refused') return refused('AccessDeniedException', 'no account:ListRegions');
      return ok({ Regions: regions.map((RegionName) => ({ RegionName, RegionOptStatus: 'ENABLED_BY_DEFAULT' })) });
    }
    case 'DescribeTrails': {
      const wanted = input['trailNameList'];
      const names = Array.isArray(wanted) ? wanted : [];
      const trails = (services.trails ?? []).filter(
        ({ Name, TrailARN }) => names.length === 0 || names.includes(Name) || names.includes(TrailARN),
      );
      return ok({ trailList: trails });
    }
    case 'GetTrailStatus': {
      const status = services.statuses?.[String(input['Name'])];
      return status ? ok(status) : refused('TrailNotFoundException', `Unknown trail: ${String(input['Name'])}`);
    }
    case 'DescribeOrganization':
      return services.organization
        ? ok({ Organization: services.organization })
        : refused('AWSOrganizationsNotInUseException', 'Your account is not a member of an organization.');
    default:
      return refused('UnknownOperationException', `the test server has no ${operation}`);
  }
}
