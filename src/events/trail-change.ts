/** What a gap can be explained by: a management event that changed the trail. */
export interface TrailChange {
  readonly event: string;
  readonly eventId: string;
  /** ISO 8601 UTC, as the event has it. */
  readonly at: string;
  /** ARN of who did it, or what the event has of it. */
  readonly actor: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** Which calls end the delivery of digests to this place; an update only if it does. */
const CHANGES: Readonly<Record<string, (parameters: Fields) => boolean>> = {
  StopLogging: () => true,
  DeleteTrail: () => true,
  UpdateTrail: ({ enableLogFileValidation, s3BucketName }) =>
    enableLogFileValidation === false || s3BucketName !== undefined,
};

/**
 * The change of that trail in the content of an attested log file, between two instants (epoch milliseconds); `null` if
 * there is none. An attempt that was refused changed nothing.
 */
export function findTrailChange(content: Uint8Array, trail: string, from: number, to: number): TrailChange | null {
  const text = new TextDecoder().decode(content);
  // Few logs hold such an event, and parsing costs more than looking.
  if (!Object.keys(CHANGES).some((name) => text.includes(name))) return null;
  for (const record of recordsOf(text)) {
    const at = Date.parse(String(record['eventTime']));
    // Written so that a time that is none lies outside as well.
    if (!(at >= from && at <= to) || !endsDelivery(record, trail)) continue;
    return {
      event: String(record['eventName']),
      eventId: String(record['eventID']),
      at: String(record['eventTime']),
      actor: actorOf(record['userIdentity']),
    };
  }
  return null;
}

function endsDelivery(record: Fields, trail: string): boolean {
  const { eventSource, eventName, errorCode, requestParameters: parameters } = record;
  if (eventSource !== 'cloudtrail.amazonaws.com' || typeof eventName !== 'string' || errorCode !== undefined)
    return false;
  const change = Object.hasOwn(CHANGES, eventName) ? CHANGES[eventName] : undefined;
  return change !== undefined && isFields(parameters) && isNamed(parameters, trail) && change(parameters);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function recordsOf(text: string): Fields[] {
  let log: unknown;
  try {
    log = JSON.parse(text);
  } catch {
    return []; // attested bytes that are no JSON explain nothing
  }
  const records = isFields(log) ? log['Records'] : null;
  return Array.isArray(records) ? records.filter(isFields) : [];
}

/** Calls name the trail by its name or its ARN. */
function isNamed({ name }: Fields, trail: string): boolean {
  return typeof name === 'string' && (name === trail || name.endsWith(`:trail/${trail}`));
}

function actorOf(identity: unknown): string {
  if (!isFields(identity)) return 'unknown';
  const { arn, invokedBy, principalId } = identity as { arn?: unknown; invokedBy?: unknown; principalId?: unknown };
  return [arn, invokedBy, principalId].find((value) => typeof value === 'string') ?? 'unknown';
}
