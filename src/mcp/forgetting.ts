import { setTimeout as after } from 'node:timers/promises';
import { forgetEnvelopes } from '../journal/envelope.ts';
import { loadXxh64 } from '../platform/xxh64-wasm.ts';
import { forgetSentence } from '../projections/sentence-signs.ts';
import type { ServerContext } from './context.ts';
import type { Renewal } from './renewing.ts';
import type { StdioTransport } from './transport.ts';
import { washMemory } from './washing.ts';
import type { Worker } from './worker.ts';

/** How soon a server that nobody asks anything lets go of what was erased, milliseconds. */
export const FORGET_EVERY_MS = 1000;

/** For so long a server that could start anew waits for a moment at which nobody waits for it, milliseconds. */
export const RENEW_WITHIN_MS = 5000;
const RENEW_EVERY_MS = 50;

/** One does not reach what the engine is about to move or give back just then. */
const WASHES = 6;

/**
 * Looks again and again whether something was erased, and then forgets all that was read of the journal: the program starts
 * anew, which leaves nothing; where it cannot, what it had is overwritten, as far as that reaches. Costs one look at a file's
 * times where nothing was erased. Keeps no process alive.
 * @returns stops it
 */
export function startForgetting(
  context: ServerContext,
  renewal: Renewal,
  source: Source,
): () => void {
  let washes = 0;
  let isDue = false;
  let isLate = false;
  let isBusy = false;
  let told = '';
  const look = async (): Promise<void> => {
    // A wash can take longer than the time between two looks.
    if (isBusy) return;
    isBusy = true;
    try {
      if (context.hasErased()) {
        washes = WASHES;
        isDue = true;
        context.forget(await loadXxh64());
        forgetEnvelopes();
        forgetSentence();
        await renewSoon(renewal);
        // From here on it has answers of before only.
        source.worker.retire();
        isLate = true;
      }
      // Also after it was washed: a person may take minutes to answer a question.
      if (isDue) await renewal.renew();
      if (isLate && isThrough(source)) {
        isLate = false;
        washes = WASHES;
      }
      if (washes === 0) return;
      washes -= 1;
      await washMemory();
      context.log.debug('memory was washed');
    } catch (error) {
      const why = `what was erased could not be forgotten: ${(error as Error).message}`;
      // It may be so for hours.
      if (why !== told) context.log.warn(why);
      told = why;
    } finally {
      isBusy = false;
    }
  };
  const timer = setInterval(look, FORGET_EVERY_MS).unref();
  return () => clearInterval(timer);
}

/** Where words of the journal come from, and where they go to. */
interface Source {
  worker: Worker;
  transport: StdioTransport;
}

/** No answer of before comes any more, and what came is written. */
const isThrough = ({ worker, transport }: Source): boolean =>
  !worker.isRetiring && transport.isWritten;

/** Returns when it was not to be. */
async function renewSoon(renewal: Renewal): Promise<void> {
  for (let waited = 0; waited < RENEW_WITHIN_MS && renewal.isPossible; waited += RENEW_EVERY_MS) {
    await renewal.renew();
    await after(RENEW_EVERY_MS, undefined, { ref: false });
  }
}
