/** The verbs of `ben10 pack`, in the order of its help. */
export const PACK_VERBS = {
  create: async () => (await import('./create.ts')).PackCreateCommand,
  list: async () => (await import('./list.ts')).PackListCommand,
};
