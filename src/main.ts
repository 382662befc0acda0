import yargs, { type Argv } from 'yargs';
import { type Command, type Io, UsageError } from './commands/command.ts';
import { isSystemError, plainSystemError } from './commands/system-error.ts';
import { nearest } from './config/nearest.ts';
import { VERSION } from './version.ts';

interface Entry {
  readonly describe: string;
  /** What follows the name without an option, as yargs writes it: `<action> <directory>`. */
  readonly words?: string;
  /** Loaded only when called, so that `--version` and `--help` stay light. */
  readonly load: () => Promise<Command>;
}

/** Every command by its name, in the order of `--help`. A new one is a file in `commands` and a line here. */
export const COMMANDS: Readonly<Record<string, Entry>> = {
  verify: {
    describe: 'prove digests and log files: chain, signatures, hashes, coverage, inventory',
    load: async () => (await import('./commands/verify.ts')).verifyCommand,
  },
  posture: {
    describe: 'judge the live configuration of trails and log buckets; downloads no logs',
    load: async () => (await import('./commands/posture.ts')).postureCommand,
  },
  audit: {
    describe: 'verify and posture in one run, from one config: the nightly job and the pre-audit check',
    load: async () => (await import('./commands/audit.ts')).auditCommand,
  },
  'verify-query-results': {
    describe: 'prove CloudTrail Lake query results: signature and hashes, local or on S3',
    load: async () => (await import('./commands/verify-query-results.ts')).verifyQueryResultsCommand,
  },
  'iam-policy': {
    describe: 'print the least-privilege policy for a config, as JSON or Terraform',
    load: async () => (await import('./commands/iam-policy.ts')).iamPolicyCommand,
  },
  init: {
    describe: 'write a config from the trails and log buckets that the account has',
    load: async () => (await import('./commands/init.ts')).initCommand,
  },
  doctor: {
    describe: 'make each call that a run needs, once; say which are refused and what that costs',
    load: async () => (await import('./commands/doctor.ts')).doctorCommand,
  },
  status: {
    describe: 'how long ago each chain was last proven: the dead man’s switch for a second job',
    load: async () => (await import('./commands/status.ts')).statusCommand,
  },
  evidence: {
    describe: 'check an evidence bundle: every file, signature and timestamp; no network',
    words: '<action> <directory>',
    load: async () => (await import('./commands/evidence.ts')).evidenceCommand,
  },
  keys: {
    describe: 'save the public keys of CloudTrail for offline use',
    words: '<file>',
    load: async () => (await import('./commands/keys.ts')).keysCommand,
  },
  fetch: {
    describe: 'copy digests, logs, metadata and keys to a directory that verify --directory proves offline',
    words: '<to>',
    load: async () => (await import('./commands/fetch.ts')).fetchCommand,
  },
  merge: {
    describe: 'join the saved runs of all shards into one report and exit code',
    words: '<files..>',
    load: async () => (await import('./commands/merge.ts')).mergeCommand,
  },
  convert: {
    describe: 'make any report from a saved run',
    words: '<file>',
    load: async () => (await import('./commands/convert.ts')).convertCommand,
  },
  demo: {
    describe: 'build a small signed trail, alter it, and show what verify says; no account, no network',
    load: async () => (await import('./commands/demo.ts')).demoCommand,
  },
};

const EXIT_CODES = `Exit codes: 0 proven · 1 something failed · 2 usage error · 3 inconclusive · 130/143 interrupted`;

/** Runs the command line; resolves to the exit code and never ends the process. */
export async function main(argv: readonly string[], io: Io = processIo()): Promise<number> {
  let code: number | null = null;
  try {
    const cli = commandLine(argv, io, await completed(argv), (exitCode) => {
      code = exitCode;
    });
    await cli.parseAsync();
    return code ?? 0;
  } catch (error) {
    // What yargs finds wrong on its own way past `fail` comes as a YError.
    if (error instanceof UsageError || (error instanceof Error && error.name === 'YError')) {
      io.err(`trailseal: ${error.message}\n`);
      return 2;
    }
    if (isSystemError(error)) {
      io.err(`trailseal: ${error.message}\n`);
      return 3;
    }
    // Ours to mend, and nothing is judged: Node's own 1 would read as a failed verification.
    io.err(`trailseal: internal error, please report it: ${error instanceof Error ? error.stack : String(error)}\n`);
    return 3;
  }
}

const COMPLETION = 'completion';
/** What a shell asks for when the user presses the tab key: yargs then needs the options without waiting for them. */
const COMPLETE = '--get-yargs-completions';

/** The command whose options are to be completed, by its name. */
async function completed(argv: readonly string[]): Promise<ReadonlyMap<string, Command>> {
  if (argv[0] !== COMPLETE) return new Map();
  const named = Object.entries(COMMANDS).filter(([name]) => argv.includes(name));
  return new Map(await Promise.all(named.map(async ([name, { load }]) => [name, await load()] as const)));
}

/** The command line, to be parsed. `loaded`: commands to take as they are; `done` gets the exit code. */
export function commandLine(
  argv: readonly string[],
  io: Io,
  loaded: ReadonlyMap<string, Command>,
  done: (exitCode: number) => void,
): Argv {
  const cli = yargs([...argv])
    .scriptName('trailseal')
    .usage('trailseal COMMAND [options]\n\nIs the CloudTrail audit trail whole, unaltered and kept long enough?')
    .version(VERSION)
    .help()
    .alias('help', 'h')
    .epilogue(`${EXIT_CODES}\nEach command explains itself: trailseal verify --help`)
    .wrap(Math.min(110, process.stdout.columns ?? 110))
    .parserConfiguration({
      'duplicate-arguments-array': true,
      'greedy-arrays': false,
      'strip-aliased': true,
      'strip-dashed': true,
    })
    .exitProcess(false)
    .fail((message, error) => {
      if (error) throw error;
      throw new UsageError(`${withNearest(message, optionNames(cli))}\nSee trailseal --help.`);
    });
  for (const [name, { describe, load, words }] of Object.entries(COMMANDS)) {
    cli.command(
      words === undefined ? name : `${name} ${words}`,
      describe,
      (command: Argv) => {
        const prepared = command.epilogue(EXIT_CODES).strict();
        const present = loaded.get(name);
        return present ? present.options(prepared) : load().then(({ options }) => options(prepared));
      },
      async (options) => {
        usageOf(cli).cacheHelpMessage = () => undefined;
        done(await (loaded.get(name) ?? (await load())).run(givenOnce(cli, options) as never, io));
      },
    );
  }
  return cli
    .completion(COMPLETION, 'print a completion script for bash, zsh or fish: trailseal completion >> ~/.bashrc')
    .command('$0', false, {}, (args) => {
      const [word] = args._.map(String);
      // yargs has printed it, and takes it for an unknown command all the same.
      if (word === COMPLETION) return done(0);
      if (word !== undefined) throw new UsageError(unknownCommand(word));
      cli.showHelp((help) => io.out(`${help}\n`));
      done(2);
    })
    .strictOptions();
}

function unknownCommand(word: string): string {
  const meant = nearest(word, Object.keys(COMMANDS));
  return `there is no command ${JSON.stringify(word)}${meant === null ? '' : `; did you mean ${meant}?`}\nSee trailseal --help.`;
}

/** An option that takes one value and is given twice would reach its command as a list. */
function givenOnce(cli: Argv, options: Record<string, unknown>): Record<string, unknown> {
  const lists = new Set((cli as unknown as { getOptions(): { array: string[] } }).getOptions().array);
  for (const [name, value] of Object.entries(options)) {
    const dashed = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    if (Array.isArray(value) && name !== '_' && !lists.has(name) && !lists.has(dashed)) {
      throw new UsageError(`--${dashed} is given more than once`);
    }
  }
  return options;
}

/** Whenever a command runs, yargs lays out its whole help, for a `getHelp` that nobody calls then. */
function usageOf(cli: Argv): { cacheHelpMessage: () => void } {
  const inside = cli as unknown as {
    getInternalMethods(): { getUsageInstance(): { cacheHelpMessage: () => void } };
  };
  return inside.getInternalMethods().getUsageInstance();
}

function optionNames(cli: Argv): string[] {
  return Object.keys((cli as unknown as { getOptions(): { key: Record<string, unknown> } }).getOptions().key);
}

function withNearest(message: string, names: readonly string[]): string {
  const [, unknown] = /^Unknown arguments?: ([^,]+)/.exec(message) ?? [];
  const meant = unknown === undefined ? null : nearest(unknown, names);
  return meant === null ? message : `${message}; did you mean --${meant}?`;
}

function processIo(): Io {
  const interrupt = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // Once: the next one ends the process as it does where nobody listens.
    process.once(signal, () => {
      process.stderr.write(`trailseal: ${signal}: ending with what there is; once more to end at once\n`);
      interrupt.abort(signal);
    });
  }
  // Nobody is left to tell of it.
  process.stderr.on('error', () => undefined);
  let isLost = false;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // Whoever reads the output may leave early; the reports in files and the exit code stay what they are.
    if (error.code === 'EPIPE' || isLost) return;
    isLost = true;
    process.stderr.write(`trailseal: stdout could not be written: ${plainSystemError(error)}\n`);
    // A report that is cut off must not read as green.
    process.once('exit', (code) => {
      if (code === 0) process.exitCode = 3;
    });
  });
  // Node's own 1 would read as a failed verification.
  process.on('uncaughtException', (error) => {
    process.stderr.write(`trailseal: internal error, please report it: ${error.stack}\n`, () => process.exit(3));
  });
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    env: process.env,
    outIsTerminal: process.stdout.isTTY === true,
    errIsTerminal: process.stderr.isTTY === true,
    now: Date.now,
    interrupt: interrupt.signal,
  };
}
