#!/usr/bin/env node
import { main } from '../dist/trailseal.js';

process.exitCode = await main(process.argv.slice(2));
// What an interrupted run left in flight must not hold up its end.
setTimeout(() => process.stdout.write('', () => process.exit()), 500).unref();
