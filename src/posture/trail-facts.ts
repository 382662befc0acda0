import type { Evidence, Read } from './evidence.ts';

export interface TrailFacts {
  readonly arn: string;
  readonly name: string;
  /** Account in the ARN: the management account for an organization trail. */
  readonly account: string;
  readonly homeRegion: string;
  readonly description: Evidence<TrailDescription>;
  readonly status: Read<TrailStatus>;
  readonly eventSelectors: Read<EventSelectors>;
  readonly insightSelectors: Evidence<InsightSelectors>;
}

export interface TrailDescription {
  readonly Name?: string;
  readonly S3BucketName?: string;
  readonly S3KeyPrefix?: string;
  readonly IncludeGlobalServiceEvents?: boolean;
  readonly IsMultiRegionTrail?: boolean;
  readonly HomeRegion?: string;
  readonly TrailARN?: string;
  readonly LogFileValidationEnabled?: boolean;
  readonly CloudWatchLogsLogGroupArn?: string;
  readonly CloudWatchLogsRoleArn?: string;
  readonly KmsKeyId?: string;
  readonly HasCustomEventSelectors?: boolean;
  readonly HasInsightSelectors?: boolean;
  readonly IsOrganizationTrail?: boolean;
  readonly RecursiveLogging?: boolean;
}

export interface TrailStatus {
  readonly IsLogging?: boolean;
  readonly LatestDeliveryError?: string;
  readonly LatestDeliveryTime?: string;
  readonly LatestDigestDeliveryError?: string;
  readonly LatestDigestDeliveryTime?: string;
  readonly LatestCloudWatchLogsDeliveryError?: string;
  readonly LatestCloudWatchLogsDeliveryTime?: string;
  readonly StartLoggingTime?: string;
  readonly StopLoggingTime?: string;
}

export interface EventSelectors {
  readonly EventSelectors?: readonly BasicSelector[];
  readonly AdvancedEventSelectors?: readonly AdvancedSelector[];
}

export interface BasicSelector {
  readonly ReadWriteType?: string;
  readonly IncludeManagementEvents?: boolean;
  readonly DataResources?: readonly { readonly Type?: string; readonly Values?: readonly string[] }[];
  readonly ExcludeManagementEventSources?: readonly string[];
}

export interface AdvancedSelector {
  readonly Name?: string;
  readonly FieldSelectors?: readonly FieldSelector[];
}

export interface FieldSelector {
  readonly Field: string;
  readonly Equals?: readonly string[];
  readonly StartsWith?: readonly string[];
  readonly EndsWith?: readonly string[];
  readonly NotEquals?: readonly string[];
  readonly NotStartsWith?: readonly string[];
  readonly NotEndsWith?: readonly string[];
}

export interface InsightSelectors {
  readonly InsightSelectors?: readonly { readonly InsightType?: string }[];
}
