import { derivedFiles } from '../journal/erase/derived.ts';
import type { Project } from '../project/open.ts';

/** The event up to which a stored state is, by its name. */
const STATE = /\/(\d{16})(?:-[0-9a-f]{12})?\.(?:ckpt|ctx)$/;

/** Up to which event states are stored; 0 where none is. Ask before the journal's end: an agent may be working meanwhile. */
export function storedUpto({ ports, layout }: Project): number {
  const { states } = derivedFiles(ports, layout, 0);
  return states.reduce((most, path) => Math.max(most, Number(STATE.exec(path)?.[1] ?? 0)), 0);
}
