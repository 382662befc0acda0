// A read-only S3 with CloudTrail's ListPublicKeys beside it, as fast as Node's sockets allow, so that what is measured is
// the client. Started by `fork` with `{ folder, latencyMs, rate }` in JSON; sends `{ port }`; answers every message with
// its counts. Speaks just enough HTTP/1.1 for the SDK of trailseal and for the AWS CLI.
import { createServer } from 'node:net';
import { readSet } from './trail-set.mjs';

const { folder, latencyMs = 0, rate = 0 } = JSON.parse(process.argv[2] ?? '{}');
const { facts, keys, objects, bodies } = readSet(folder);

const names = objects.map(([key]) => key);
const replies = new Map();
const listed = [];
{
  const shared = new Map();
  for (const [key, at, length, lastModified, metadata] of objects) {
    const known = metadata === null ? shared.get(at) : undefined;
    const reply = known ?? objectReply(bodies.subarray(at, at + length), lastModified, metadata);
    if (metadata === null) shared.set(at, reply);
    replies.set(`/${facts.bucket}/${key}`, reply);
    const time = new Date(lastModified).toISOString();
    listed.push(
      `<Key>${key}</Key><LastModified>${time}</LastModified><ETag>&quot;${'0'.repeat(32)}&quot;</ETag><Size>${length}</Size><StorageClass>STANDARD</StorageClass>`,
    );
  }
}

const counts = { get: 0, refused: 0, list: 0, firstAt: 0, lastAt: 0 };
let [tokens, refilledAt] = [rate / 10, performance.now()];

/** Whether the store bears one more: a bucket of tokens that holds a tenth of a second's. */
function isAllowed() {
  if (rate === 0) return true;
  const now = performance.now();
  tokens = Math.min(rate / 10, tokens + ((now - refilledAt) * rate) / 1000);
  refilledAt = now;
  if (tokens < 1) return false;
  tokens--;
  return true;
}

function objectReply(body, lastModified, metadata) {
  const more = Object.entries(metadata ?? {}).map(([name, value]) => `x-amz-meta-${name}: ${value}\r\n`);
  const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nETag: "${'0'.repeat(32)}"\r\nx-amz-request-id: 0\r\nLast-Modified: ${new Date(lastModified).toUTCString()}\r\n${more.join('')}Content-Length: ${body.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}

function textReply(status, body, type = 'application/xml') {
  const length = Buffer.byteLength(body);
  return `HTTP/1.1 ${status}\r\nContent-Type: ${type}\r\nx-amz-request-id: 0\r\nx-amz-bucket-region: us-east-1\r\nContent-Length: ${length}\r\n\r\n${body}`;
}

const errorReply = (status, code) => textReply(status, `<Error><Code>${code}</Code><Message>${code}</Message></Error>`);
const SLOW_DOWN = errorReply('503 Slow Down', 'SlowDown');

function answer(head) {
  const [method, url] = head.slice(0, head.indexOf('\r\n')).split(' ');
  const question = url.indexOf('?');
  const path = question < 0 ? url : url.slice(0, question);
  // The SDK says on each GET which operation it is; only then does a key get a query.
  const reply = method === 'GET' ? replies.get(path) : undefined;
  if (reply !== undefined) {
    counts.firstAt ||= performance.now();
    if (!isAllowed()) {
      counts.refused++;
      return SLOW_DOWN;
    }
    counts.lastAt = performance.now();
    counts.get++;
    return reply;
  }
  if (method === 'POST') return textReply('200 OK', JSON.stringify(service(head)), 'application/x-amz-json-1.1');
  if (method === 'HEAD') return 'HTTP/1.1 200 OK\r\nx-amz-bucket-region: us-east-1\r\nContent-Length: 0\r\n\r\n';
  const query = new URLSearchParams(question < 0 ? '' : url.slice(question + 1));
  if (query.has('location')) return textReply('200 OK', '<LocationConstraint/>');
  if (path.split('/').filter(Boolean).length === 1) return textReply('200 OK', listing(query));
  return errorReply('404 Not Found', 'NoSuchKey');
}

function service(head) {
  if (/ListPublicKeys/.test(head)) {
    const region = /Credential=[^/]+\/\d+\/([^/]+)\//.exec(head)?.[1] ?? '';
    const seconds = (text) => Date.parse(text) / 1000;
    const list = (keys[region] ?? []).map((key) => ({
      ...key,
      ValidityStartTime: seconds(key.ValidityStartTime),
      ValidityEndTime: seconds(key.ValidityEndTime),
    }));
    return { PublicKeyList: list };
  }
  const trail = { Name: 'bench', S3BucketName: facts.bucket, HomeRegion: 'us-east-1', IsMultiRegionTrail: true };
  const arn = 'arn:aws:cloudtrail:us-east-1:123456789012:trail/bench';
  return { trailList: [{ ...trail, TrailARN: arn, IsOrganizationTrail: false, LogFileValidationEnabled: true }] };
}

function firstFrom(name) {
  let [low, high] = [0, names.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (names[middle] < name) low = middle + 1;
    else high = middle;
  }
  return low;
}

function listing(query) {
  counts.list++;
  const isSecond = query.get('list-type') === '2';
  const hasVersions = query.has('versions');
  const [open, close] = hasVersions
    ? ['<Version><VersionId>null</VersionId><IsLatest>true</IsLatest>', '</Version>']
    : ['<Contents>', '</Contents>'];
  const root = hasVersions ? 'ListVersionsResult' : 'ListBucketResult';
  const prefix = query.get('prefix') ?? '';
  const delimiter = query.get('delimiter') ?? '';
  const token = ['continuation-token', 'start-after', 'key-marker', 'marker'].reduce(
    (found, name) => found || (query.get(name) ?? ''),
    '',
  );
  const max = Math.min(Number(query.get('max-keys') ?? 1000), 1000);
  const contents = [];
  let [last, count] = ['', 0];
  let i = Math.max(firstFrom(prefix), token === '' ? 0 : firstFrom(`${token}\u0000`));
  for (; count < max && i < names.length && names[i].startsWith(prefix); count++) {
    const end = delimiter === '' ? -1 : names[i].indexOf(delimiter, prefix.length);
    if (end < 0) {
      contents.push(open + listed[i] + close);
      last = names[i];
      i++;
    } else {
      last = names[i].slice(0, end + 1);
      contents.push(`<CommonPrefixes><Prefix>${last}</Prefix></CommonPrefixes>`);
      i = firstFrom(`${last}\uffff`);
    }
  }
  const isMore = i < names.length && names[i].startsWith(prefix);
  // No key of a trail has anything to encode.
  const encoding = query.get('encoding-type') === 'url' ? '<EncodingType>url</EncodingType>' : '';
  const name = hasVersions ? 'NextKeyMarker' : isSecond ? 'NextContinuationToken' : null;
  const next = isMore && name !== null ? `<${name}>${last}</${name}>` : '';
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>${facts.bucket}</Name><Prefix>${prefix}</Prefix><MaxKeys>${max}</MaxKeys>${encoding}<IsTruncated>${isMore}</IsTruncated>${next}${contents.join('')}</${root}>`;
}

const server = createServer({ noDelay: true }, (socket) => {
  let pending = null;
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    let bytes = pending === null ? chunk : Buffer.concat([pending, chunk]);
    pending = null;
    while (bytes.length > 0) {
      const end = bytes.indexOf('\r\n\r\n');
      const head = end < 0 ? '' : bytes.latin1Slice(0, end);
      const length = head.startsWith('GET') ? 0 : Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
      if (end < 0 || bytes.length < end + 4 + length) {
        pending = bytes;
        return;
      }
      const reply = answer(head);
      if (latencyMs > 0) setTimeout(() => socket.write(reply), latencyMs);
      else socket.write(reply);
      bytes = bytes.subarray(end + 4 + length);
    }
  });
});
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send({ ...counts, cpuMs: (user + system) / 1000 });
  Object.assign(counts, { get: 0, refused: 0, list: 0, firstAt: 0, lastAt: 0 });
});
process.on('disconnect', () => process.exit(0));
