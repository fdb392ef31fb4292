import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import { RECORD_TOOL } from '../setup/hooks-table.ts';
import { silentAnswer } from './answer.ts';
import type { ServerContext } from './context.ts';
import { LINE_BYTES_MAX } from './limits.ts';
import { recordHook } from './sink.ts';

/**
 * The answer to a request that was too long to be read. Of a hook's event it is recorded that there was one.
 * @param head how it starts
 * @param bytes how long it was
 */
export function oversizedAnswer(
  head: string,
  bytes: number,
  context: ServerContext | undefined,
): { result: object } | { error: object } {
  if (!head.includes(`"name":"${RECORD_TOOL}"`)) {
    const message = `a message may have ${LINE_BYTES_MAX} bytes at most`;
    return { error: { code: ErrorCode.InvalidRequest, message } };
  }
  // A hook waits for its answer, and the agent for the hook. The transcript has what was in it.
  if (context !== undefined) {
    void recordHook(noteOf(head, bytes), context).then((outcome) => {
      if (outcome !== 'failed') context.recordCounts.failed += 1;
    });
    context.group.flush();
  }
  return { result: silentAnswer() };
}

/** In the form in which a command hook keeps its own: named so that it is not taken for the event itself. */
function noteOf(head: string, bytes: number) {
  const found = (name: string) => new RegExp(`"${name}":"([^"\\\\]{1,200})"`).exec(head)?.[1] ?? '';
  return {
    hook_event_name: `Oversized${found('hook_event_name')}`,
    session_id: found('session_id'),
    oversized: { bytes },
  };
}
