import type { Io } from './command.ts';
import { parseLength } from './shared-options.ts';

/** Node's timers hold no longer time. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Aborted when the user, the system or `--deadline` wants an end, which begins to run now. Throws `UsageError`. */
export function endOf({ deadline }: { readonly deadline?: string | undefined }, io: Io): AbortSignal {
  if (deadline === undefined) return io.interrupt;
  const abort = new AbortController();
  const ms = Math.min(parseLength(deadline, 'deadline'), LONGEST_TIMER);
  setTimeout(() => abort.abort(`the deadline of ${deadline} was reached`), ms).unref();
  return AbortSignal.any([io.interrupt, abort.signal]);
}

/** The exit code of a run that a signal ended; `null` where none did. */
export function signalCode({ interrupt }: Io): 130 | 143 | null {
  if (!interrupt.aborted) return null;
  return interrupt.reason === 'SIGTERM' ? 143 : 130;
}

/** Aborted so long (milliseconds) after the signal: for what may still be asked while the run ends. */
export function graceAfter(signal: AbortSignal, grace: number): AbortSignal {
  const abort = new AbortController();
  const begin = () => void setTimeout(() => abort.abort(new Error('the run was to end')), grace).unref();
  if (signal.aborted) begin();
  else signal.addEventListener('abort', begin, { once: true });
  return abort.signal;
}

/** What the work comes to; `null` where it has not come to an end so long (milliseconds) after the signal. */
export async function unlessStopped<T>(work: Promise<T>, signal: AbortSignal, grace: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  let begin: () => void = () => undefined;
  const stopped = new Promise<null>((resolve) => {
    begin = () => {
      timer = setTimeout(() => resolve(null), grace);
    };
  });
  if (signal.aborted) begin();
  else signal.addEventListener('abort', begin, { once: true });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', begin);
    // Whatever becomes of it is nobody's any more.
    work.catch(() => undefined);
  }
}
