import type { Argv } from 'yargs';
import { terminal } from '../report/escape.ts';
import { SavedRunError } from '../report/parse.ts';
import { type Command, type Io, UsageError } from './command.ts';
import { type OutputOptions, openOutputs } from './outputs.ts';
import { readSavedRun } from './saved-run-file.ts';
import { outputOptions } from './shared-options.ts';

interface ConvertOptions extends OutputOptions {
  readonly file: string;
}

export const convertCommand: Command = { options, run };

function options(yargs: Argv): Argv {
  return outputOptions(yargs)
    .usage(
      'trailseal convert RUN.jsonl [--output FORMAT=PATH…]\n\nMakes any report from a saved run, the very bytes that the run would have written. Exit code 0 when it is made, whatever the run found.',
    )
    .positional('file', { type: 'string', describe: 'what --output jsonl=… wrote' })
    .example('trailseal convert run.jsonl', 'the report for people')
    .example('trailseal convert run.jsonl --output sarif=run.sarif --output html=run.html', 'more, later');
}

async function run(given: ConvertOptions, io: Io): Promise<number> {
  await checkWhole(given.file);
  const outputs = await openOutputs(given, io, { onlyWhatIsAsked: true });
  const lost: string[] = [];
  try {
    for await (const entry of readSavedRun(given.file)) {
      if (entry.type === 'run') outputs.start(entry.run);
      else if (entry.type === 'finding') outputs.step(entry.finding);
      else {
        lost.push(...outputs.save(entry.summary));
        outputs.close(entry.summary);
      }
    }
    // The reports tell the exit code of the run that they are of.
    for (const line of lost) io.err(`trailseal: ${terminal(line)}\n`);
    return lost.length === 0 ? 0 : 3;
  } catch (error) {
    outputs.abandon();
    throw error;
  }
}

/** Before the first byte is written: on stdout nothing can be taken back. */
async function checkWhole(file: string): Promise<void> {
  try {
    for await (const _ of readSavedRun(file));
  } catch (error) {
    if (error instanceof SavedRunError) throw new UsageError(`${file}: ${error.message}`, { cause: error });
    throw error;
  }
}
