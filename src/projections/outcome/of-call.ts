import type { ToolFailed, ToolSucceeded } from '../../events/types.ts';
import { answerText, hasEnded, textOf } from '../tools-text.ts';
import type { Asked } from './command.ts';
import { judge, type Outcome } from './judge.ts';

/** What an event says of a call's outcome. @param asked of a shell command; null for other tools, which only fail or not */
export function outcomeOf(
  { type, data }: { type: string; data: ToolSucceeded | ToolFailed },
  asked: Asked | null,
): Outcome & { exitCode: number | null } {
  const isError = type === 'tool.failed';
  const { exitCode: code = null, isInterrupt = false, error } = data as ToolFailed;
  const { response } = data as ToolSucceeded;
  const output = isError ? (textOf(error) ?? '') : answerText(response);
  const hasCode = asked !== null && !isError && hasEnded(response);
  const exitCode = isError ? code : hasCode ? 0 : null;
  const isUnfinished = isInterrupt || (asked !== null && !isError && !hasCode);
  return { ...judge({ command: asked, output, exitCode, isError, isUnfinished }), exitCode };
}
