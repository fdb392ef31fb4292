import { derivedFiles } from '../journal/erase/derived.ts';
import type { Project } from '../project/open.ts';

/** Stored states are named by the newest event that they cover. */
const STATE = /\/(\d{16})(?:-[0-9a-f]{12})?\.(?:ckpt|ctx)$/;

/** The newest event that any stored state covers; 0 without one. Call it before reading the journal's end, which may grow. */
export function storedUpto({ ports, layout }: Project): number {
  const { states } = derivedFiles(ports, layout, 0);
  return states.reduce((most, path) => Math.max(most, Number(STATE.exec(path)?.[1] ?? 0)), 0);
}
