import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const DRIVER = fileURLToPath(new URL('./aws-runs.py', import.meta.url));

/** Version of the AWS CLI that `python3` can import; `null` where it has none. */
export const referenceVersion: string | null = (() => {
  const { status, stdout } = spawnSync('python3', ['-c', 'import awscli; print(awscli.__version__)'], {
    encoding: 'utf8',
  });
  return status === 0 ? stdout.trim() : null;
})();

if (referenceVersion === null) console.warn('python3 has no awscli: the tests against the AWS CLI are skipped.');

export interface ReferenceRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** What is said of each object, by its key: `valid`, or the reason after `INVALID: `. */
  readonly objects: ReadonlyMap<string, string>;
}

/** Runs the command lines one after the other, against the endpoint and with any credentials. */
export async function runReference(
  commands: readonly (readonly string[])[],
  endpoint: string,
): Promise<ReferenceRun[]> {
  const child = spawn('python3', [DRIVER], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, AWS_ENDPOINT_URL: endpoint, AWS_DEFAULT_REGION: 'us-east-1', AWS_MAX_ATTEMPTS: '1' },
  });
  const ended = once(child, 'exit');
  child.stdin.end(commands.map((command) => `${JSON.stringify(command)}\n`).join(''));
  const runs: ReferenceRun[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const { code, out, err } = JSON.parse(line) as Omit<ReferenceRun, 'objects'>;
    runs.push({ code, out, err, objects: objectsIn(`${out}\n${err}`) });
  }
  const [status] = await ended;
  if (status !== 0 || runs.length !== commands.length) throw new Error(`the AWS CLI ended with ${status}`);
  return runs;
}

function objectsIn(text: string): Map<string, string> {
  const lines = text.matchAll(
    /^(?:\(backfill\) )?(?:Digest|Log) file\ts3:\/\/[^/\t]+\/([^\t]+)\t(?:INVALID: )?(.+)$/gm,
  );
  return new Map([...lines].map(([, key = '', said = '']) => [key, said]));
}
