import type { TranscriptFile } from './transcript-file.ts';

/** How far back the record that a prompt goes on from is looked for. */
const SEARCH_BYTES_MAX = 32 * 1024 * 1024;
const STEP_BYTES = 256 * 1024;

/**
 * Tells whether a prompt goes on from the end of the conversation or from somewhere before it. A rewind leaves its
 * abandoned branch standing in the file; it shows in records of the model between the prompt and its parent.
 * @param pos byte offset of the prompt's line
 * @returns the last byte offset that is still on the live branch, when the prompt rewound to it
 */
export function rewoundTo(file: TranscriptFile, pos: number, parent: string): number | undefined {
  const mark = `"uuid":"${parent}"`;
  let gap: Buffer = Buffer.alloc(0);
  for (let start = pos; start > 0 && pos - start < SEARCH_BYTES_MAX; ) {
    const from = Math.max(0, start - STEP_BYTES);
    gap = Buffer.concat([file.read(from, start), gap]);
    start = from;
    const at = gap.lastIndexOf(mark);
    if (at === -1) continue;
    const lineEnd = gap.indexOf('\n', at);
    if (lineEnd === -1) return undefined;
    return hasConversation(gap.subarray(lineEnd + 1)) ? start + lineEnd : undefined;
  }
  return undefined;
}

function hasConversation(lines: Buffer): boolean {
  for (const line of lines.toString('utf8').split('\n')) {
    if (!line.includes('"type":"assistant"') || line.includes('"isSidechain":true')) continue;
    return true;
  }
  return false;
}
