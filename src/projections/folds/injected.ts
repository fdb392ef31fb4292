import type { RecallInjected } from '../../events/types.ts';
import type { Fact, Projection } from '../contract.ts';

/** What ben10 put into the agent's context by itself. */
export interface InjectedState {
  times: number;
  chars: number;
}

export const injected: Projection<InjectedState> = {
  name: 'injected',
  version: 1,
  scope: 'project',
  types: ['recall.injected'],
  initial: () => ({ times: 0, chars: 0 }),
  apply(state, fact) {
    const { chars } = (fact as Fact<RecallInjected>).data;
    state.times += 1;
    state.chars += Number.isFinite(chars) ? chars : 0;
    return state;
  },
};
