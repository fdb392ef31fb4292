import { observation } from '../capture/observation.ts';
import type { Ben10Config } from '../platform/config/keys.ts';
import type { Project } from '../project/open.ts';
import { steeringText } from '../recall/steering.ts';

/**
 * What a PreCompact hook prints as plain text for the client to add to the compaction's instructions: Claude Code does (2.1.329),
 * and says by its environment that it is the one that asks. To others it would be noise, or a mistake.
 * @returns undefined when nothing is to be printed
 */
export function steering(
  project: Project,
  event: string,
  session: string,
  { context, recall }: Ben10Config,
): string | undefined {
  if (event !== 'PreCompact' || !recall.steering || !context.autoRestore) return undefined;
  if (!isClaudeCode(session)) return undefined;
  const { text, items } = steeringText(project, session);
  if (text === '') return undefined;
  const where = { session, agent: null, at: project.ports.clock.now() };
  const given = items.map(({ kind, seq, key }) => ({ kind, seq, key }));
  const data = { event, source: 'steering', chars: text.length, items: given };
  const seen = observation('recall.injected', null, where, data);
  project.recorder.append([project.recorder.event(seen, 'hook')]);
  // What was recorded before a rule was made does not get out, either.
  return project.redact(text);
}

/** Other clients read the same settings, and one may run in a shell of another. */
function isClaudeCode(session: string): boolean {
  const { CLAUDECODE, CLAUDE_CODE_SESSION_ID } = process.env;
  return CLAUDE_CODE_SESSION_ID === undefined
    ? CLAUDECODE === '1'
    : CLAUDE_CODE_SESSION_ID === session;
}
