/**
 * Gives work a signal that aborts after `ms`, or with another signal. `AbortSignal.any` does not: Node 20 drops a time limit in it that
 * nobody else holds, and the work never ends.
 */
export async function withTimeLimit<T>(
  ms: number,
  other: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, ms);
  other?.addEventListener('abort', abort);
  if (other?.aborted) abort();
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    other?.removeEventListener('abort', abort);
  }
}
