import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** The auditor's side of these tests: what is checked by OpenSSL is not checked by code of ours. */
export const hasOpenssl = ((): boolean => {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

export function openssl(
  args: readonly string[],
  input?: Uint8Array,
): { readonly ok: boolean; readonly output: string } {
  try {
    const output = execFileSync('openssl', args, { stdio: ['pipe', 'pipe', 'pipe'], ...(input ? { input } : {}) });
    return { ok: true, output: output.toString('utf8') };
  } catch (error) {
    const { stderr } = error as { readonly stderr?: Buffer };
    return { ok: false, output: stderr?.toString('utf8') ?? String(error) };
  }
}

/** A key and its self-signed certificate, as files. */
export function selfSigned(
  folder: string,
  name: string,
  kind: readonly string[] = ['rsa:2048'],
  extra: readonly string[] = [],
): { readonly key: string; readonly cert: string } {
  const key = join(folder, `${name}.key`);
  const cert = join(folder, `${name}.pem`);
  const made = openssl([
    ...['req', '-x509', '-nodes', '-newkey', ...kind, '-days', '3650', '-subj', `/CN=${name}`],
    ...['-keyout', key, '-out', cert, ...extra],
  ]);
  if (!made.ok) throw new Error(made.output);
  return { key, cert };
}

/** A timestamp authority that answers over HTTP with what `openssl ts -reply` makes. */
export async function timestampAuthority(
  folder: string,
): Promise<{ readonly url: string; readonly cert: string; readonly server: Server }> {
  const { key, cert } = selfSigned(folder, 'tsa', ['rsa:2048'], ['-addext', 'extendedKeyUsage=critical,timeStamping']);
  const config = join(folder, 'tsa.cnf');
  writeFileSync(join(folder, 'serial'), '01\n');
  writeFileSync(
    config,
    [
      '[tsa]',
      'default_tsa = here',
      '[here]',
      `serial = ${join(folder, 'serial')}`,
      'crypto_device = builtin',
      `signer_cert = ${cert}`,
      `certs = ${cert}`,
      `signer_key = ${key}`,
      'signer_digest = sha256',
      'default_policy = 1.2.3.4.1',
      'digests = sha256',
      '',
    ].join('\n'),
  );
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const query = join(folder, 'query.tsq');
      const reply = join(folder, 'reply.tsr');
      writeFileSync(query, Buffer.concat(parts));
      const made = openssl(['ts', '-reply', '-config', config, '-queryfile', query, '-out', reply]);
      response.writeHead(made.ok ? 200 : 500, { 'content-type': 'application/timestamp-reply' });
      response.end(made.ok ? readFileSync(reply) : made.output);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, cert, server };
}
