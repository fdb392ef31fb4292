/** The verbs of `ben10 loop`, in the order of its help. */
export const LOOP_VERBS = {
  run: async () => (await import('./run.ts')).LoopRunCommand,
  status: async () => (await import('./look.ts')).LoopStatusCommand,
  context: async () => (await import('./look.ts')).LoopContextCommand,
  checkpoint: async () => (await import('./checkpoint.ts')).LoopCheckpointCommand,
  ledger: async () => (await import('./look.ts')).LoopLedgerCommand,
  list: async () => (await import('./look.ts')).LoopListCommand,
  stop: async () => (await import('./stop.ts')).LoopStopCommand,
  resume: async () => (await import('./run.ts')).LoopResumeCommand,
};
