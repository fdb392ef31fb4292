import { forgetEnvelopes } from '../journal/envelope.ts';
import { loadXxh64 } from '../platform/xxh64-wasm.ts';
import { forgetSentence } from '../projections/sentence-signs.ts';
import type { ServerContext } from './context.ts';
import { washMemory } from './washing.ts';

/** How soon a server that nobody asks anything lets go of what was erased, milliseconds. */
export const FORGET_EVERY_MS = 1000;

/** One does not reach what the engine is about to move or give back just then. */
const WASHES = 6;

/**
 * Looks again and again whether something was erased, and then forgets all that was read of the journal, and overwrites it.
 * Costs one look at a file's times where nothing was. Keeps no process alive.
 * @returns stops it
 */
export function startForgetting(context: ServerContext): () => void {
  let washes = 0;
  let isBusy = false;
  const look = async (): Promise<void> => {
    // A wash can take longer than the time between two looks.
    if (isBusy) return;
    isBusy = true;
    try {
      if (context.hasErased()) {
        washes = WASHES;
        context.forget(await loadXxh64());
        forgetEnvelopes();
        forgetSentence();
      }
      if (washes === 0) return;
      washes -= 1;
      await washMemory();
    } catch (error) {
      context.log.warn(`what was erased could not be forgotten: ${(error as Error).message}`);
    } finally {
      isBusy = false;
    }
  };
  const timer = setInterval(look, FORGET_EVERY_MS).unref();
  return () => clearInterval(timer);
}
