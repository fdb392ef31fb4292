import { headOf } from '../bounds.ts';
import { foldedBy, type Projection } from '../contract.ts';

export interface InjectedState {
  times: number;
  chars: number;
  /** Hooks that took over a second. */
  slow: number;
  slowest: SlowHook | null;
  /** Hooks that stopped before they were done, since the last one that gave something back. */
  undone: number;
  lastUndone: (SlowHook & { what: string }) | null;
}

interface SlowHook {
  event: string;
  ms: number;
  at: number;
}

const EVENT_CHARS = 50;
const WHAT_CHARS = 300;

/** What hooks gave to the model, and where they were too slow for it. */
export const injected: Projection<InjectedState> = {
  name: 'injected',
  version: 2,
  scope: 'project',
  initial: () => ({ times: 0, chars: 0, slow: 0, slowest: null, undone: 0, lastUndone: null }),
  ...foldedBy<InjectedState>({
    'recall.injected': (state, { data: { chars } }) => {
      state.times += 1;
      state.chars += Number.isFinite(chars) ? chars : 0;
      state.undone = 0;
      state.lastUndone = null;
    },
    'hook.slow': (state, { at, data: { event, ms, undone } }) => {
      const one = { event: headOf(event, EVENT_CHARS), ms, at };
      state.slow += 1;
      if (state.slowest === null || state.slowest.ms < ms) state.slowest = one;
      if (undone === undefined) return;
      state.undone += 1;
      state.lastUndone = { ...one, what: headOf(undone, WHAT_CHARS) };
    },
  }),
};
