export const EXIT = { ok: 0, notSo: 1, usage: 2 } as const;
export type Exit = (typeof EXIT)[keyof typeof EXIT];
