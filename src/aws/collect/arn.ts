export interface ArnParts {
  readonly partition: string;
  readonly service: string;
  readonly region: string;
  readonly account: string;
  /** All that follows the account, colons and slashes included. */
  readonly resource: string;
}

/** `arn:PARTITION:SERVICE:REGION:ACCOUNT:RESOURCE`; parts that are not there are empty. */
export function parseArn(arn: string): ArnParts {
  const [, partition = '', service = '', region = '', account = '', ...rest] = arn.split(':');
  return { partition, service, region, account, resource: rest.join(':') };
}
