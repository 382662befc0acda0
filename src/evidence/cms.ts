import { createHash, createPrivateKey, createPublicKey, verify as verifySignature, X509Certificate } from 'node:crypto';
import forge from 'node-forge';
import {
  children,
  context,
  type Der,
  DerError,
  derTime,
  elements,
  first,
  OCTETS,
  oidText,
  parseDer,
  SEQUENCE,
  SET,
} from './der.ts';

/** A signer's key and certificate, checked to belong together. The first certificate is the signer's own. */
export interface Signer {
  readonly privateKeyPem: string;
  readonly certificates: readonly X509Certificate[];
}

export class SignerError extends Error {
  override readonly name = 'SignerError';
}

/** Throws `SignerError`; no message holds a part of the key. */
export function loadSigner(keyPem: string, certificatePem: string, passphrase?: string): Signer {
  let key: ReturnType<typeof createPrivateKey>;
  try {
    key = createPrivateKey({ key: keyPem, ...(passphrase === undefined ? {} : { passphrase }) });
  } catch {
    throw new SignerError('the signing key is not a PEM private key that can be read (is it encrypted?)');
  }
  if (key.asymmetricKeyType !== 'rsa') {
    throw new SignerError(`the signing key must be RSA, it is ${key.asymmetricKeyType ?? 'of an unknown kind'}`);
  }
  const certificates = readCertificates(certificatePem);
  const [own] = certificates;
  if (own === undefined) throw new SignerError('the signing certificate is not a PEM certificate');
  if (!own.checkPrivateKey(key)) throw new SignerError('the signing certificate does not belong to the signing key');
  return { privateKeyPem: key.export({ type: 'pkcs8', format: 'pem' }).toString(), certificates };
}

/** Every certificate in a PEM text. */
export function readCertificates(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
  return blocks.flatMap((block) => {
    try {
      return [new X509Certificate(block)];
    } catch {
      return [];
    }
  });
}

/** A detached CMS signature (RFC 5652) over the content: DER, as `openssl cms -verify -inform DER` reads it. */
export function signDetached(content: Uint8Array, signer: Signer, signedAtMs: number): Buffer {
  const [own] = signer.certificates;
  if (own === undefined) throw new SignerError('no certificate');
  const message = forge.pkcs7.createSignedData();
  message.content = forge.util.createBuffer(Buffer.from(content).toString('latin1'));
  for (const certificate of signer.certificates) message.addCertificate(certificate.toString());
  const { oids } = forge.pki;
  message.addSigner({
    key: signer.privateKeyPem,
    certificate: own.toString(),
    digestAlgorithm: oids['sha256'] ?? '',
    // In this order the set is sorted as DER wants it: node-forge does not sort, and OpenSSL hashes the sorted form.
    authenticatedAttributes: [
      { type: oids['contentType'] ?? '', value: oids['data'] ?? '' },
      { type: oids['signingTime'] ?? '', value: new Date(signedAtMs) as unknown as string },
      { type: oids['messageDigest'] ?? '' },
    ],
  });
  message.sign({ detached: true });
  return Buffer.from(forge.asn1.toDer(message.toAsn1()).getBytes(), 'latin1');
}

/** What a CMS SignedData says, and which certificate it says it with. Nothing here is believed yet. */
export interface SignedData {
  /** The signed bytes, where they are inside (a timestamp token); `null` when detached. */
  readonly content: Buffer | null;
  readonly contentType: string;
  readonly certificates: readonly X509Certificate[];
  readonly signer: X509Certificate;
  /** Epoch milliseconds, the signer's own word; `null` where not said. */
  readonly signingTime: number | null;
  /** Whether the signature over this content verifies under the signer's certificate. */
  verifies(content: Uint8Array): boolean;
}

const SIGNED_DATA = '1.2.840.113549.1.7.2';
const CONTENT_TYPE = '1.2.840.113549.1.9.3';
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4';
const SIGNING_TIME = '1.2.840.113549.1.9.5';
const HASHES: { readonly [oid: string]: string } = {
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};

/** Throws `DerError` where the bytes are no SignedData with one signer whose certificate is inside. */
export function parseSignedData(der: Uint8Array): SignedData {
  const [type, wrapped] = children(parseDer(der), SEQUENCE);
  if (type === undefined || oidText(type) !== SIGNED_DATA) throw new DerError('not a CMS SignedData');
  const [body] = children(wrapped, context(0));
  const [, , encapsulated, ...rest] = children(body, SEQUENCE);
  const [contentTypeOid, octets] = children(encapsulated, SEQUENCE);
  if (contentTypeOid === undefined) throw new DerError('no content type');
  const [inner] = octets === undefined ? [] : children(octets, context(0));
  if (inner !== undefined && inner.tag !== OCTETS) throw new DerError('content is not one octet string');
  const certificates = (rest.find(({ tag }) => tag === context(0)) ?? null) as Der | null;
  const enclosed =
    certificates === null ? [] : elements(certificates.content).map(({ raw }) => new X509Certificate(raw));
  const infos = children(rest.at(-1), SET);
  const [info] = infos;
  if (info === undefined || infos.length !== 1) throw new DerError('not exactly one signer');
  return {
    ...readSignerInfo(info, enclosed, oidText(contentTypeOid)),
    contentType: oidText(contentTypeOid),
    content: inner?.content ?? null,
    certificates: enclosed,
  };
}

function readSignerInfo(
  info: Der,
  certificates: readonly X509Certificate[],
  contentType: string,
): Pick<SignedData, 'signer' | 'signingTime' | 'verifies'> {
  const [, identifier, digestAlgorithm, attributes, , signature] = children(info, SEQUENCE);
  if (attributes?.tag !== context(0)) throw new DerError('no signed attributes');
  if (signature?.tag !== OCTETS) throw new DerError('no signature');
  const serial = children(identifier, SEQUENCE)[1]
    ?.content.toString('hex')
    .replace(/^(00)+/, '')
    .toUpperCase();
  const signer = certificates.find((certificate) => certificate.serialNumber.replace(/^(00)+/, '') === serial);
  if (signer === undefined) throw new DerError("the signer's certificate is not enclosed");
  const hash = HASHES[oidText(first(children(digestAlgorithm, SEQUENCE)))];
  const said = attributeValues(attributes);
  const digest = said.get(MESSAGE_DIGEST);
  const type = said.get(CONTENT_TYPE);
  const time = said.get(SIGNING_TIME);
  return {
    signer,
    signingTime: time === undefined ? null : derTime(time),
    verifies(content) {
      if (hash === undefined || digest?.tag !== OCTETS) return false;
      if (type === undefined || oidText(type) !== contentType) return false;
      if (!createHash(hash).update(content).digest().equals(digest.content)) return false;
      // The attributes are stored as [0] and signed as a SET (RFC 5652, 5.4).
      const signed = Buffer.concat([Buffer.of(SET), attributes.raw.subarray(1)]);
      return verifySignature(hash, signed, createPublicKey(signer.toString()), signature.content);
    },
  };
}

function attributeValues(attributes: Der): Map<string, Der> {
  return new Map(
    elements(attributes.content).map((attribute) => {
      const [type, values] = children(attribute, SEQUENCE);
      if (type === undefined) throw new DerError('an attribute without a type');
      return [oidText(type), first(children(values, SET))];
    }),
  );
}

/**
 * Whether a certificate is one of the trusted ones, or issued by one through certificates that are enclosed, each valid
 * at the instant; `null` asks whatever their time.
 */
export function isTrusted(
  certificate: X509Certificate,
  enclosed: readonly X509Certificate[],
  trusted: readonly X509Certificate[],
  atMs: number | null,
): boolean {
  const isValid = ({ validFrom, validTo }: X509Certificate): boolean =>
    atMs === null || (atMs >= Date.parse(validFrom) && atMs <= Date.parse(validTo));
  let current = certificate;
  for (let depth = 0; depth < 6; depth++) {
    if (!isValid(current)) return false;
    const same = trusted.some((root) => root.fingerprint256 === current.fingerprint256);
    if (same) return true;
    const issued = (issuer: X509Certificate): boolean =>
      issuer.ca && current.checkIssued(issuer) && current.verify(issuer.publicKey);
    const root = trusted.find(issued);
    if (root !== undefined) return isValid(root);
    const next = enclosed.find((issuer) => issuer.fingerprint256 !== current.fingerprint256 && issued(issuer));
    if (next === undefined) return false;
    current = next;
  }
  return false;
}
