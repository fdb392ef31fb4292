import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import { RECORD_TOOL } from '../setup/hooks-table.ts';
import { silentAnswer } from './answer.ts';
import type { ServerContext } from './context.ts';
import { LINE_BYTES_MAX } from './limits.ts';

/**
 * The answer to a request that was too long to be read.
 * @param head how it starts
 */
export function oversizedAnswer(
  head: string,
  context: ServerContext | undefined,
): { result: object } | { error: object } {
  if (!head.includes(`"name":"${RECORD_TOOL}"`)) {
    const message = `a message may have ${LINE_BYTES_MAX} bytes at most`;
    return { error: { code: ErrorCode.InvalidRequest, message } };
  }
  // A hook waits for its answer, and the agent for the hook. The transcript has what was in it.
  if (context !== undefined) context.recordCounts.failed += 1;
  return { result: silentAnswer() };
}
