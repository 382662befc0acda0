import { describe, expect, it } from 'vitest';
import { findTrailChange } from '../../src/events/trail-change.ts';

const AT = Date.UTC(2026, 2, 1, 3);
const MINUTE = 60_000;

/** A log file whose one event stops the trail `audit` at three o'clock, with some fields changed. */
function log(fields: Record<string, unknown> = {}): Buffer {
  const event = {
    eventTime: '2026-03-01T03:00:00Z',
    eventSource: 'cloudtrail.amazonaws.com',
    eventName: 'StopLogging',
    eventID: 'e-1',
    userIdentity: { type: 'IAMUser', arn: 'arn:aws:iam::123456789012:user/mallory' },
    requestParameters: { name: 'audit' },
    ...fields,
  };
  return Buffer.from(JSON.stringify({ Records: [{ eventName: 'GetObject' }, event] }));
}

const find = (content: Uint8Array) => findTrailChange(content, 'audit', AT - MINUTE, AT + MINUTE);

describe('a gap is explained by', () => {
  it.each([
    ['StopLogging by name', {}],
    ['StopLogging by ARN', { requestParameters: { name: 'arn:aws:cloudtrail:us-east-1:123456789012:trail/audit' } }],
    ['DeleteTrail', { eventName: 'DeleteTrail' }],
    [
      'validation switched off',
      { eventName: 'UpdateTrail', requestParameters: { name: 'audit', enableLogFileValidation: false } },
    ],
    ['another bucket', { eventName: 'UpdateTrail', requestParameters: { name: 'audit', s3BucketName: 'other' } }],
  ])('%s', (_name, fields) => {
    expect(find(log(fields))).toMatchObject({
      eventId: 'e-1',
      at: '2026-03-01T03:00:00Z',
      actor: expect.stringContaining('mallory'),
    });
  });
});

describe('a gap is not explained by', () => {
  it.each([
    ['an attempt that was refused', { errorCode: 'AccessDenied' }],
    ['a change of another trail', { requestParameters: { name: 'audit-2' } }],
    [
      'a trail whose ARN only ends alike',
      { requestParameters: { name: 'arn:aws:cloudtrail:us-east-1:123456789012:trail/my-audit' } },
    ],
    ['an event before the stretch', { eventTime: '2026-03-01T02:58:59Z' }],
    ['an event after it', { eventTime: '2026-03-01T03:01:01Z' }],
    ['an event without a time', { eventTime: undefined }],
    ['a call of another service', { eventSource: 's3.amazonaws.com' }],
    [
      'an update that stops nothing',
      { eventName: 'UpdateTrail', requestParameters: { name: 'audit', isMultiRegionTrail: true } },
    ],
    ['a name that every object has', { eventName: 'constructor' }],
    ['a call without parameters', { requestParameters: null }],
  ])('%s', (_name, fields) => {
    expect(find(log(fields))).toBeNull();
  });

  it.each(['StopLogging', '{"Records":7,"x":"StopLogging"}', '["StopLogging"]'])(
    'bytes that are no log: %s',
    (text) => {
      expect(find(Buffer.from(text))).toBeNull();
    },
  );
});
