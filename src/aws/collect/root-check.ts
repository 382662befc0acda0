import type { CallName } from '../../posture/calls.ts';

/** The root of each XML answer that is not named by the call. */
const ROOTS: { readonly [N in CallName]?: string } = {
  GetObjectLockConfiguration: 'ObjectLockConfiguration',
  GetBucketVersioning: 'VersioningConfiguration',
  GetBucketLifecycleConfiguration: 'LifecycleConfiguration',
  GetPublicAccessBlock: 'PublicAccessBlockConfiguration',
  GetBucketPolicyStatus: 'PolicyStatus',
  GetBucketAcl: 'AccessControlPolicy',
  GetBucketOwnershipControls: 'OwnershipControls',
  GetBucketLogging: 'BucketLoggingStatus',
  GetBucketReplication: 'ReplicationConfiguration',
  GetBucketEncryption: 'ServerSideEncryptionConfiguration',
  GetBucketRequestPayment: 'RequestPaymentConfiguration',
  GetBucketLocation: 'LocationConstraint',
  ListObjectsV2: 'ListBucketResult',
  ListObjectVersions: 'ListVersionsResult',
  GetObjectRetention: 'Retention',
  GetObjectLegalHold: 'LegalHold',
};

interface Answer {
  readonly statusCode: number;
  body?: unknown;
}

interface Stack {
  add(
    middleware: (
      next: (args: object) => Promise<{ readonly response: unknown }>,
      context: { readonly commandName?: string },
    ) => (args: object) => Promise<{ readonly response: unknown }>,
    options: { readonly step: 'deserialize'; readonly priority: 'low'; readonly name: string },
  ): void;
}

/**
 * Has a client refuse an answer that is another document than the one asked for. The SDK takes what it finds in any
 * document: the page of a portal, or a listing that a store gives in answer to all it does not know, would be read as a
 * configuration in which nothing is set.
 */
export function checkRoots(client: { readonly middlewareStack: unknown }): void {
  (client.middlewareStack as Stack).add(
    (next, { commandName = '' }) =>
      async (args) => {
        const result = await next(args);
        const answer = result.response as Answer;
        const name = commandName.replace(/Command$/, '');
        if (answer.statusCode !== 200 || !isXml(name)) return result;
        const bytes = await bytesOf(answer.body);
        answer.body = bytes;
        const [, root = 'none'] =
          /^(?:\s|\ufeff|<\?[^>]*>|<!--[\s\S]*?-->)*<(?:\w+:)?([\w-]+)/.exec(bytes.toString('utf8')) ?? [];
        if (rootsOf(name).includes(root)) return result;
        throw Object.assign(new Error(`the answer to ${name} is no such document`), {
          name: 'UnexpectedAnswer',
          $metadata: { httpStatusCode: 200 },
        });
      },
    { step: 'deserialize', priority: 'low', name: 'checkRoots' },
  );
}

/** A bucket policy is JSON and HeadBucket has no body. */
const isXml = (name: string): boolean => name !== 'GetBucketPolicy' && !name.startsWith('Head') && name !== 'GetObject';

/** Stores made from AWS's own description of S3 name some roots by the call. */
function rootsOf(name: string): readonly string[] {
  const byCall = ['Response', 'Result', 'Output'].map((ending) => name + ending);
  return [...byCall, ROOTS[name as CallName] ?? ''];
}

async function bytesOf(body: unknown): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
