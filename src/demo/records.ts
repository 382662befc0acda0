import { createHash } from 'node:crypto';
import { formatTime } from '../chain/location.ts';

const CALLS = [
  ['s3.amazonaws.com', 'GetObject', true],
  ['s3.amazonaws.com', 'PutObject', false],
  ['ec2.amazonaws.com', 'DescribeInstances', true],
  ['sts.amazonaws.com', 'AssumeRole', true],
  ['iam.amazonaws.com', 'AttachRolePolicy', false],
  ['kms.amazonaws.com', 'Decrypt', true],
] as const;

/** Bytes that look random and are the same for the same seed, so that a log of a given seed never changes. */
function noise(seed: string): string {
  return createHash('sha256').update(seed).digest('hex');
}

/** The content of a log file: `{"Records":[…]}`, compact, with events spread over the five minutes before `time`. */
export function logContent(
  seed: string,
  records: number,
  { account, region, time }: { readonly account: string; readonly region: string; readonly time: number },
  more: readonly object[] = [],
): Buffer {
  const events = Array.from({ length: records }, (_, i) => {
    const id = noise(`${seed}/${i}`);
    const [eventSource, eventName, readOnly] = CALLS[Number.parseInt(id.slice(0, 4), 16) % CALLS.length] ?? CALLS[0];
    return {
      eventVersion: '1.11',
      userIdentity: {
        type: 'AssumedRole',
        principalId: `AROA${id.slice(0, 16).toUpperCase()}:deploy`,
        arn: `arn:aws:sts::${account}:assumed-role/deploy/run-${id.slice(16, 22)}`,
        accountId: account,
      },
      eventTime: formatTime(time - 300_000 + Math.floor((300_000 * i) / records)),
      eventSource,
      eventName,
      awsRegion: region,
      sourceIPAddress: `192.0.2.${Number.parseInt(id.slice(22, 24), 16)}`,
      userAgent: 'aws-sdk-js/3.0',
      requestParameters: { id: id.slice(24, 48) },
      responseElements: null,
      requestID: id.slice(0, 32),
      eventID: `${id.slice(32, 40)}-${id.slice(40, 44)}-4${id.slice(45, 48)}-8${id.slice(49, 52)}-${id.slice(52, 64)}`,
      readOnly,
      eventType: 'AwsApiCall',
      managementEvent: true,
      recipientAccountId: account,
    };
  });
  return Buffer.from(JSON.stringify({ Records: [...events, ...more] }));
}

/** The management event of somebody who stops a trail. */
export function stopLoggingEvent(account: string, region: string, trail: string, time: number): object {
  const id = noise(`${trail}/stop/${time}`);
  return {
    eventVersion: '1.11',
    userIdentity: {
      type: 'IAMUser',
      arn: `arn:aws:iam::${account}:user/mallory`,
      accountId: account,
      userName: 'mallory',
    },
    eventTime: formatTime(time),
    eventSource: 'cloudtrail.amazonaws.com',
    eventName: 'StopLogging',
    awsRegion: region,
    requestParameters: { name: trail },
    responseElements: null,
    eventID: `${id.slice(0, 8)}-${id.slice(8, 12)}-4${id.slice(13, 16)}-8${id.slice(17, 20)}-${id.slice(20, 32)}`,
    readOnly: false,
    managementEvent: true,
    recipientAccountId: account,
  };
}

/** The sixteen letters and digits at the end of a log's name. */
export function nameSuffix(seed: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  return Array.from(Buffer.from(noise(`${seed}/name`), 'hex').subarray(0, 16), (byte) => alphabet[byte % 62]).join('');
}
