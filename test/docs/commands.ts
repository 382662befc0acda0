import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** What a document tells its reader to run. */
export interface DocumentedCommand {
  /** Line of the file, from 1. */
  readonly line: number;
  /** Line of the block it stands in: a folder that is changed to holds to the end of the block. */
  readonly block: number;
  /** As it is written, lines that go on joined with what follows. */
  readonly text: string;
  readonly where: 'shell' | 'github' | 'github-action' | 'gitlab' | 'cron';
  /** What the engine around it sets. */
  readonly env: Readonly<Record<string, string>>;
}

/** A fenced block that tells the reader to write it into a file. */
export interface DocumentedFile {
  readonly line: number;
  readonly text: string;
  readonly kind: 'workflow' | 'config';
}

interface Block {
  readonly line: number;
  readonly language: string;
  readonly text: string;
}

const ROOT = new URL('../../', import.meta.url);

export function read(document: string): string {
  return readFileSync(new URL(document, ROOT), 'utf8');
}

function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(({ index, 1: language = '', 2: text = '' }) => ({
    line: markdown.slice(0, index).split('\n').length + 1,
    language,
    text,
  }));
}

interface Engine {
  readonly jobs?: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
  readonly [job: string]: unknown;
}
interface Step {
  readonly run?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string>>;
}
interface GitlabJob {
  readonly script: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
}

/** What a document has its reader run, in order. Blocks of other languages are what is printed, or drawings. */
export function commandsOf(document: string): DocumentedCommand[] {
  return blocksOf(read(document)).flatMap((block) => {
    if (block.language === 'sh' || block.language === 'bash') return shellCommands(block);
    if (block.language === 'yaml') return engineCommands(block);
    return block.language === '' ? cronCommands(block) : [];
  });
}

export function filesOf(document: string): DocumentedFile[] {
  const blocks = blocksOf(read(document)).filter(({ language }) => language === 'yaml');
  return blocks.flatMap((block): DocumentedFile[] => {
    const { line, text } = block;
    if ((parse(text) as Engine).jobs) return [{ line, text, kind: 'workflow' }];
    return engineCommands(block).length > 0 ? [] : [{ line, text, kind: 'config' }];
  });
}

/** One command a line; a backslash at the end takes the next line in. */
function shellCommands({ line, text }: Block): DocumentedCommand[] {
  const commands: DocumentedCommand[] = [];
  let begun: { line: number; text: string } | null = null;
  for (const [index, written] of text.split('\n').entries()) {
    const sofar: { line: number; text: string } = begun ?? { line: line + index, text: '' };
    begun = { line: sofar.line, text: sofar.text + written };
    if (written.endsWith('\\')) {
      begun = { line: begun.line, text: begun.text.replace(/\s*\\$/, '').trimEnd() };
      continue;
    }
    if (begun.text.trim() !== '')
      commands.push({ ...begun, block: line, text: tidy(begun.text), where: 'shell', env: {} });
    begun = null;
  }
  return commands;
}

const tidy = (text: string): string => text.replace(/ {2,}/g, ' ').trim();

function engineCommands({ line, text }: Block): DocumentedCommand[] {
  const content = parse(text) as Engine | readonly Step[];
  if (Array.isArray(content)) return content.flatMap((step: Step) => stepCommands(step, line));
  const engine = content as Engine;
  if (engine.jobs)
    return Object.values(engine.jobs).flatMap(({ steps }) => steps.flatMap((s) => stepCommands(s, line)));
  return Object.values(engine).flatMap((job) => {
    const { script, variables = {} } = (job ?? {}) as GitlabJob;
    if (!Array.isArray(script)) return [];
    return [
      {
        line,
        block: line,
        text: script.join('\n'),
        where: 'gitlab' as const,
        env: { GITLAB_CI: 'true', ...variables },
      },
    ];
  });
}

/** Steps that use what others publish are theirs to test; ours is the run step of `action.yml`. */
function stepCommands(step: Step, line: number): DocumentedCommand[] {
  if (step.run !== undefined) return [{ line, block: line, text: step.run.trim(), where: 'github', env: {} }];
  if (!step.uses?.startsWith('trailseal/')) return [];
  return [actionCommand(step.with ?? {}, line)];
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly runs: { readonly steps: readonly { readonly id?: string; readonly run: string; readonly env?: Env }[] };
}
type Env = Readonly<Record<string, string>>;

function actionCommand(given: Env, line: number): DocumentedCommand {
  const { inputs, runs } = parse(read('action.yml')) as Action;
  const step = runs.steps.find(({ id }) => id === 'run');
  if (!step) throw new Error('action.yml has no step run');
  const inserted = (expression: string) =>
    expression.replace(/\$\{\{ inputs\.(\w+) \}\}/g, (_, name: string) => given[name] ?? inputs[name]?.default ?? '');
  const env = Object.fromEntries(Object.entries(step.env ?? {}).map(([name, value]) => [name, inserted(value)]));
  return { line, block: line, text: step.run.trim(), where: 'github-action', env };
}

/** The part of a crontab line behind its five fields; cron itself would end it at a `%`. */
function cronCommands({ line, text }: Block): DocumentedCommand[] {
  return [...text.matchAll(/^(?:[\d*/,-]+ +){5}([^%\n]+)/gm)].map(({ index, 1: command = '' }) => ({
    line: line + text.slice(0, index).split('\n').length - 1,
    block: line,
    text: tidy(command),
    where: 'cron' as const,
    env: {},
  }));
}
