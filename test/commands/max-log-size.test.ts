import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { trail } from '../../src/demo/trail.ts';
import { runCli } from '../support/run-cli.ts';
import { serve } from '../support/served-trail.ts';

const built = trail().build();
const [name = ''] = [...built.objects.keys()].filter((key) => key.includes('/CloudTrail/'));
const objects = new Map(built.objects);
objects.set(name, { body: gzipSync(Buffer.alloc(3 * 2 ** 20)), metadata: {}, lastModified: built.range.start });

it.each([
  ['2MiB', 'log-malformed', 'inflates to more than 2097152 bytes'],
  ['4MiB', 'log-altered', 'the digest attests'],
])('a log of 3 MiB with --max-log-size %s: %s', async (size, control, message) => {
  const { verify } = await serve({ ...built, objects });
  const { code, findings } = await verify('--max-log-size', size);
  expect({ code, found: findings.map((found) => [found.control, found.subject.key]) }).toEqual({
    code: 1,
    found: [[control, name]],
  });
  expect(findings[0]?.message).toContain(message);
});

it.each(['0GiB', '2', '1.5GiB', 'much'])('--max-log-size %s is a usage error', async (size) => {
  const { code, err } = await runCli(['verify', '--s3-bucket', 'x', '--max-log-size', size]);
  expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('512MiB or 4GiB') });
});
