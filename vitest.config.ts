import { defineConfig } from 'vitest/config';
import { ClosingLine } from './test/support/closing-line.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/build.ts'],
    // Against hanging: a loaded machine takes several times what an idle one does.
    testTimeout: 90_000,
    hookTimeout: 120_000,
    // The default leaves a core idle, half of a small machine.
    maxWorkers: '100%',
    // Any credentials do for the servers on this machine; those of the person who runs the tests stay out of them.
    env: {
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_CONFIG_FILE: '/dev/null',
      AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
      AWS_EC2_METADATA_DISABLED: 'true',
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
    },
    reporters: ['default', new ClosingLine()],
  },
});
