/**
 * The tool calls of a session, as three witnesses tell them: the model, the hooks and the
 * transcripts. In each, one line a call: "id name ok" or "id name failed".
 */
import type { HookInput } from './hook-recorder.ts';
import { toolResults, toolUses } from './requests.ts';
import type { Block, ModelRequest } from './scenario.ts';
import type { TranscriptRecord } from './transcripts.ts';

export function outcomesSeenByModel(requests: ModelRequest[]): string[] {
  const results = toolResults(requests).map(
    ({ toolUseId, isError }) => [toolUseId, isError] as const,
  );
  return lines(new Map(toolUses(requests).map(({ id, name }) => [id, name])), new Map(results));
}

export function outcomesInHooks(hooks: HookInput[]): string[] {
  const names = new Map<string, string>();
  const results = new Map<string, boolean>();
  for (const { hook_event_name, tool_use_id: id = '', tool_name: name = '' } of hooks) {
    if (hook_event_name === 'PreToolUse') names.set(id, name);
    if (hook_event_name === 'PostToolUse') results.set(id, false);
    if (hook_event_name === 'PostToolUseFailure') results.set(id, true);
  }
  return lines(names, results);
}

export function outcomesInTranscripts(records: TranscriptRecord[]): string[] {
  const names = new Map<string, string>();
  const results = new Map<string, boolean>();
  for (const { message } of records) {
    if (!Array.isArray(message?.content)) continue;
    for (const block of message.content as Block[]) {
      if (block.type === 'tool_use') names.set(block.id, block.name);
      if (block.type === 'tool_result') results.set(block.tool_use_id, block.is_error === true);
    }
  }
  return lines(names, results);
}

/** A call without a result reads "open", a result without a call "unknown". */
function lines(names: Map<string, string>, results: Map<string, boolean>): string[] {
  const ids = [...new Set([...names.keys(), ...results.keys()])].sort();
  return ids.map((id) => {
    const failed = results.get(id);
    const outcome = failed === undefined ? 'open' : failed ? 'failed' : 'ok';
    return `${id} ${names.get(id) ?? 'unknown'} ${outcome}`;
  });
}
