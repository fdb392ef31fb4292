import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import { RECORD_TOOL } from '../setup/hooks-table.ts';
import { silentAnswer } from './answer.ts';
import type { ServerContext } from './context.ts';
import { LINE_BYTES_MAX } from './limits.ts';
import { recordHook } from './sink.ts';

/** The answer to a request that was too long. For a hook's event, its size is recorded. @param head its beginning */
export function oversizedAnswer(
  head: string,
  bytes: number,
  context: ServerContext | undefined,
): { result: object } | { error: object } {
  if (!head.includes(`"name":"${RECORD_TOOL}"`)) {
    const message = `a message may have at most ${LINE_BYTES_MAX} bytes`;
    return { error: { code: ErrorCode.InvalidRequest, message } };
  }
  // The agent waits for this answer. The transcript has the event.
  if (context !== undefined) {
    void recordHook(noteOf(head, bytes), context).then((outcome) => {
      if (outcome !== 'failed') context.recordCounts.failed += 1;
    });
    context.group.flush();
  }
  return { result: silentAnswer() };
}

/** As a command hook does it: under another name, because this is not the event itself. */
function noteOf(head: string, bytes: number) {
  const found = (name: string) => new RegExp(`"${name}":"([^"\\\\]{1,200})"`).exec(head)?.[1] ?? '';
  return {
    hook_event_name: `Oversized${found('hook_event_name')}`,
    session_id: found('session_id'),
    oversized: { bytes },
  };
}
