import type { MonitorSettings } from '../../src/platform/config/keys.ts';

/** As by default, but that nothing is committed. */
export const SETTINGS: MonitorSettings = {
  ...{ levels: { l1: 70, l2: 85, l3: 95 }, window: 0, compactAt: 'auto', wip: 'off' },
  ...{ stopHintAt: 50, budgetUsd: 0 },
  issuePattern: '[A-Z]+-[0-9]+',
};
