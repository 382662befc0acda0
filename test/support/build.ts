import { execFileSync } from 'node:child_process';

/** The tests that run the command as a user would start `bin/trailseal.js`, which needs `dist` to be the present source. */
export function setup(): void {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
}
