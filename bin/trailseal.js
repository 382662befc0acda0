#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';
import { main } from '../dist/trailseal.js';

// Else V8 lets garbage grow to four times what is alive before it looks, and the peak with the length of the run.
setFlagsFromString('--heap-growing-percent=40');
// Else the room for the young only doubles, while the claims in flight are copied from one half to the other.
setFlagsFromString('--semi-space-growth-factor=4');
// Else V8 compiles for a run of a second what only pays in one of a minute, on cores that have other work.
setFlagsFromString('--interrupt-budget=200000');
process.exitCode = await main(process.argv.slice(2));
// What an interrupted run left in flight must not hold up its end.
setTimeout(() => process.stdout.write('', () => process.exit()), 500).unref();
