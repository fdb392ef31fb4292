import { foldedBy, type Projection } from '../contract.ts';

export interface InjectedState {
  times: number;
  chars: number;
}

export const injected: Projection<InjectedState> = {
  name: 'injected',
  version: 1,
  scope: 'project',
  initial: () => ({ times: 0, chars: 0 }),
  ...foldedBy<InjectedState>({
    'recall.injected': (state, { data: { chars } }) => {
      state.times += 1;
      state.chars += Number.isFinite(chars) ? chars : 0;
    },
  }),
};
