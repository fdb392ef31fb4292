import { nodeFs } from '../platform/fs.ts';

/** What the client writes between a compaction and the next prompt is some kilobytes. */
const TAIL_BYTES = 262_144;
const COMPACTED = /"subtype":"compact_boundary"|"isCompactSummary":true/;

/**
 * Whether the client ran the hook of a session's start after its newest compaction, and put nothing of what that printed
 * before the model: some versions did (anthropics/claude-code#15174). Told by the transcript, which has a record of either;
 * where it has none of both, nothing is known, and nothing is given twice.
 */
export function didNotLand(transcript: string | undefined): boolean {
  const ours = oursSince(transcript);
  const has = (type: string) => ours.some((line) => line.includes(`"type":"${type}"`));
  return has('hook_success') && !has('hook_additional_context');
}

/**
 * Whether the client put before the model what the hook before its newest compaction printed: it does with the answer to a
 * `/compact`. Told by the transcript; where that does not have it, it may have to be given again.
 */
export const wasShown = (transcript: string | undefined): boolean =>
  oursSince(transcript).some((line) => line.includes('<local-command-stdout>'));

/** Records since the newest compaction that hold what a hook of ours printed; none where the transcript has no compaction. */
function oursSince(transcript: string | undefined): string[] {
  const lines = transcript === undefined ? [] : tailOf(transcript).split('\n');
  const compacted = lines.findLastIndex((line) => COMPACTED.test(line));
  if (compacted === -1) return [];
  return lines.slice(compacted + 1).filter((line) => line.includes('ben10-recall-'));
}

function tailOf(file: string): string {
  try {
    const { isFile = false, size = 0 } = nodeFs.statIfThere(file) ?? {};
    // A pipe in its place would never end.
    if (!isFile) return '';
    const fd = nodeFs.open(file, 'r');
    try {
      const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES));
      const read = nodeFs.read(fd, bytes, size - bytes.length);
      return bytes.toString('latin1', 0, read);
    } finally {
      nodeFs.close(fd);
    }
  } catch {
    return '';
  }
}
