import { terminal } from './escape.ts';
import type { ChainTrouble } from './gather.ts';
import { count, minute, number, sum } from './headline.ts';
import type { ChainTotals, Summary } from './report.ts';
import { chainKey } from './tally.ts';

type Trouble = ReadonlyMap<string, ChainTrouble>;

/** More chains than this and the untroubled ones share a line for each account and trail. */
const LONG = 40;

/** Every chain by name with what it came to; lines for a terminal. */
export function chainTable({ chains, complete }: Summary, trouble: Trouble, verbose: boolean): string[] {
  if (chains.length === 0) return [];
  const compact = chains.length > LONG && !verbose;
  const single = compact ? chains.filter((chain) => trouble.has(chainKey(chain))) : chains;
  const rows = single.map((chain) => [
    terminal(chain.account),
    terminal(chain.region),
    terminal(chain.trail),
    number(chain.digests),
    number(chain.logs),
    chain.from === null || chain.to === null ? '-' : `${minute(chain.from)} … ${minute(chain.to)}`,
    result(trouble.get(chainKey(chain)), chain, complete),
  ]);
  const head = ['account', 'Region', 'trail', 'digests', 'logs', 'attested', 'result'];
  return [
    `CHAINS (${number(chains.length)})`,
    '',
    ...(rows.length > 0 ? table([head, ...rows], [0, 1, 2, 5, 6]) : []),
    ...(compact
      ? grouped(
          chains.filter((chain) => !trouble.has(chainKey(chain))),
          complete,
        )
      : []),
    '',
  ];
}

/** What one chain came to, in a few words; `complete`: the run was not cut short. */
export function result(trouble: ChainTrouble | undefined, chain: ChainTotals, complete: boolean): string {
  if (trouble === undefined) return chain.from === null ? 'nothing attested' : proven(complete);
  const parts = [
    trouble.fail > 0 ? `${number(trouble.fail)} failed` : '',
    trouble.inconclusive > 0 ? `${number(trouble.inconclusive)} inconclusive` : '',
    trouble.waived > 0 ? `${number(trouble.waived)} waived` : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

function proven(complete: boolean): string {
  return complete ? 'proven' : 'proven so far';
}

function grouped(chains: readonly ChainTotals[], complete: boolean): string[] {
  const groups = new Map<string, ChainTotals[]>();
  for (const chain of chains) {
    const name = `${terminal(chain.account)} ${terminal(chain.trail)}`;
    groups.set(name, [...(groups.get(name) ?? []), chain]);
  }
  return [...groups].map(([name, members]) => {
    const regions = members.map(({ region }) => terminal(region)).join(' ');
    const digests = count(sum(members.map((member) => member.digests)), 'digest');
    const logs = count(sum(members.map((member) => member.logs)), 'log');
    return `  ${name}  ${proven(complete)} in ${count(members.length, 'Region')}: ${digests}, ${logs}: ${regions}`;
  });
}

/** Columns padded to their widest cell; numbers to the right, the columns named in `left` to the left. */
export function table(rows: readonly (readonly string[])[], left: readonly number[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows.map((row) =>
    `  ${row
      .map((cell, column) =>
        left.includes(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')}`.trimEnd(),
  );
}
