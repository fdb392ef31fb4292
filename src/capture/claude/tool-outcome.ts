import { fact } from '../../events/identity.ts';
import { isOwnTool } from '../../projections/tools-text.ts';
import { isObject } from '../json.ts';
import { type Observation, observation } from '../observation.ts';

type Where = Pick<Observation, 'session' | 'agent' | 'at'>;

/** Of ben10's own tools only the answer's size is kept: what ben10 said is never evidence. */
export function responseOf(name: string | undefined, response: unknown): unknown {
  if (name === undefined || !isOwnTool(name)) return response;
  return { $own: true, bytes: Buffer.byteLength(JSON.stringify(response) ?? '') };
}

interface Outcome {
  toolUseId: string;
  name: string | undefined;
  durationMs: number | undefined;
}

export const succeeded = (
  where: Where,
  outcome: Outcome & { response: unknown },
): Observation<'tool.succeeded'> =>
  observation('tool.succeeded', fact.toolOutcome(outcome.toolUseId), where, {
    ...outcome,
    response: responseOf(outcome.name, outcome.response) ?? undefined,
  });

/** Around what the client itself says of a call that it did not make, as of a tool that is not there. */
const SAID_BY_CLIENT = /^<tool_use_error>/;

/** Of ben10's own tools only the failure is kept, and what the client says, not ben10's message. */
export function failed(
  where: Where,
  outcome: Outcome & { error: string; isInterrupt: boolean | undefined },
): Observation<'tool.failed'> {
  const { toolUseId, name } = outcome;
  const isOurs = name !== undefined && isOwnTool(name) && !SAID_BY_CLIENT.test(outcome.error);
  const error = isOurs ? '' : outcome.error;
  const exit = /^(?:Error: )?Exit code (\d{1,5})\b/.exec(error);
  const exitCode = exit === null ? undefined : Number(exit[1]);
  const data = { ...outcome, error, exitCode };
  return observation('tool.failed', fact.toolOutcome(toolUseId), where, data);
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
