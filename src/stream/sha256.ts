import * as crypto from 'node:crypto';

type Data = string | Uint8Array;

const oneShot = (crypto as { hash?: (algorithm: string, data: Data, encoding: 'hex') => string }).hash;

/** Lowercase hex, as CloudTrail writes hashes. `crypto.hash` (Node 20.12, 21.7 and later) costs half of `createHash` on small inputs. */
export const sha256: (data: Data) => string = oneShot
  ? (data) => oneShot('sha256', data, 'hex')
  : (data) => crypto.createHash('sha256').update(data).digest('hex');
