import type { ToolFailed, ToolSucceeded } from '../../events/types.ts';
import { isOwnTool } from '../../projections/tools-text.ts';
import { defined, isObject } from '../json.ts';

/** Of ben10's own tools only the answer's size is kept: what ben10 said is never evidence. */
export function responseOf(name: string | undefined, response: unknown): unknown {
  if (name === undefined || !isOwnTool(name)) return response;
  return { $own: true, bytes: Buffer.byteLength(JSON.stringify(response) ?? '') };
}

export function succeeded(fields: {
  toolUseId: string;
  name: string | undefined;
  response: unknown;
  durationMs: number | undefined;
}): ToolSucceeded {
  const response = responseOf(fields.name, fields.response);
  return defined<ToolSucceeded>({ ...fields, response: response ?? undefined });
}

/** Of ben10's own tools only the failure is kept, not the message. */
export function failed(fields: {
  toolUseId: string;
  name: string | undefined;
  error: string;
  isInterrupt: boolean | undefined;
  durationMs: number | undefined;
}): ToolFailed {
  const isOwn = fields.name !== undefined && isOwnTool(fields.name);
  const error = isOwn ? '' : fields.error;
  const exit = /^(?:Error: )?Exit code (\d{1,5})\b/.exec(error);
  const exitCode = exit === null ? undefined : Number(exit[1]);
  return defined<ToolFailed>({ ...fields, error, exitCode });
}

/** The text of a tool result: a string, or blocks. */
export function resultText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  const texts = content.map((block) =>
    isObject(block) && typeof block.text === 'string' ? block.text : '',
  );
  return texts.filter((one) => one !== '').join('\n');
}
