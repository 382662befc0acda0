import { defineConfig } from 'vitest/config';
import { ClosingLine } from './test/support/closing-line.ts';

/** What leaves nothing behind in its process and does not measure it shares one: what it imports is loaded once. */
const SHARING =
  'test/{aws,chain,config,conformance,events,fetch,fuzz,json,keys,lake,posture,report,state,verify}/**/!(threat-lines|html-browser|elsewhere|inventory|lister|region|remembered).test.ts';

const EVERY = {
  // Against hanging: a loaded machine takes several times what an idle one does.
  testTimeout: 90_000,
  hookTimeout: 120_000,
  // Any credentials do for the servers on this machine; those of the person who runs the tests stay out of them.
  env: {
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
  },
};

export default defineConfig({
  test: {
    // Not of the projects, each of which would build anew.
    globalSetup: ['test/support/build.ts'],
    // The default leaves a core idle, half of a small machine.
    maxWorkers: '100%',
    reporters: ['default', new ClosingLine()],
    projects: [
      { test: { ...EVERY, name: 'alone', include: ['test/**/*.test.ts'], exclude: [SHARING] } },
      { test: { ...EVERY, name: 'shared', include: [SHARING], isolate: false } },
    ],
  },
});
