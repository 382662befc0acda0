// npm run bench [-- ROW…] [--rounds N] [--document]
// Measures trailseal beside the AWS CLI (where `aws` is on the PATH), both over the same server in a second process.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { peakOf, rows } from './rows.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '3' }, document: { type: 'boolean', default: false } },
});
const chosen = positionals.length > 0 ? positionals : Object.keys(rows);
const unknown = chosen.filter((name) => rows[name] === undefined);
if (unknown.length > 0) {
  console.error(`there is no row ${unknown.join(', ')}; known: ${Object.keys(rows).join(', ')}`);
  process.exit(2);
}

const lines = [];
for (const name of chosen) {
  const measured = await rows[name](Number(values.rounds));
  lines.push(...measured);
  for (const each of measured) console.error(asRow(each));
}
lines.push(peakOf(lines));

const machine = `${availableParallelism()} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
const table = [tableHead(), ...lines.map(asRow)].join('\n');
console.log(`${machine}\n\n${table}`);
const folder = new URL('results/', import.meta.url);
mkdirSync(folder, { recursive: true });
const result = { at: new Date().toISOString(), machine, rounds: Number(values.rounds), lines };
writeFileSync(new URL('latest.json', folder), `${JSON.stringify(result, null, 1)}\n`);
if (values.document) writeDocument();

function tableHead() {
  const names = ['row', 'work', 's', 'objects/s', 'AWS CLI', 'ratio', 'target', 'met', 'peak MB', 'CPU s'];
  return `| ${names.join(' | ')} |\n|${names.map(() => '---').join('|')}|`;
}

function asRow({ row, work, seconds, rate, peerRate, ratio, target, met, peakMb, cpuSeconds }) {
  const number = (value, digits = 0) => (value === null ? '' : value.toFixed(digits));
  const verdict = met === null ? '' : met ? 'yes' : 'no';
  const cells = [row, work, number(seconds, 2), number(rate), number(peerRate), number(ratio, 2), target, verdict];
  return `| ${[...cells, number(peakMb), number(cpuSeconds, 1)].join(' | ')} |`;
}

/** Puts the table between the marks of docs/performance.md. */
function writeDocument() {
  const file = new URL('../docs/performance.md', import.meta.url);
  const [before, , after] = readFileSync(file, 'utf8').split(/<!-- (?:begin|end) of the table -->\n/);
  const date = result.at.slice(0, 10);
  const block = `<!-- begin of the table -->\n${machine}, ${date}\n\n${table}\n<!-- end of the table -->\n`;
  writeFileSync(file, `${before}${block}${after}`);
}
