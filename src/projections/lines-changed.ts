import { isObject } from './tools-text.ts';

/** Lines added and removed by an edit, from the client's patch; nothing where there is none. */
export function linesChanged(response: unknown): [number, number] {
  if (!isObject(response) || !Array.isArray(response.structuredPatch)) return [0, 0];
  let added = 0;
  let removed = 0;
  for (const hunk of response.structuredPatch) {
    if (!isObject(hunk) || !Array.isArray(hunk.lines)) continue;
    for (const line of hunk.lines) {
      if (typeof line !== 'string') continue;
      if (line.startsWith('+')) added += 1;
      else if (line.startsWith('-')) removed += 1;
    }
  }
  return [added, removed];
}
