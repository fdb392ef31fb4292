/** The verbs of `ben10 loop`, in the order of its help. */
export const LOOP_VERBS = {
  status: async () => (await import('./status.ts')).LoopStatusCommand,
  list: async () => (await import('./list.ts')).LoopListCommand,
};
