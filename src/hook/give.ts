import type { Given, HookMoment, Injection } from '../project/doors.ts';
import type { Project } from '../project/open.ts';
import { estimateTokens } from '../projections/bounds.ts';
import type { Guard } from './guard.ts';

/** The client cuts a hook's output at 10,000 characters; the rest is for its own wrapper. */
const GIVEN_CHARS_MAX = 9000;

/** What is given at a hook; empty texts where nothing is. */
interface Gift {
  /** For the model. */
  text: string;
  /** For the user. */
  notice: string;
}

const NOTHING: Gift = { text: '', notice: '' };

/**
 * The text for the model, and a line of what is in it. Contributions of higher worth get room first; the text keeps the order of the
 * list. What was given is recorded before it is printed, so that nothing is said twice.
 */
export function given(
  project: Project,
  moment: HookMoment,
  injections: readonly Injection[],
  guard: Guard,
): Gift {
  const { event, session, config } = moment;
  if (!config.context.autoRestore || (event === 'PreCompact' && !isClaudeCode(session)))
    return NOTHING;
  const asked = injections.filter(({ on }) => (on as readonly string[]).includes(event));
  const found = new Map<Injection, Given>();
  let used = 0;
  for (const one of asked.toSorted((a, b) => b.worth - a.worth)) {
    // A line break between two.
    const left = GIVEN_CHARS_MAX - used - found.size;
    const said = guard(one.failed, () => one.render(project, moment, { left, used }));
    if (said === undefined || said.text.length > left) continue;
    found.set(one, said);
    used += said.text.length;
  }
  const all = asked.flatMap((one) => found.get(one) ?? []);
  const told = [...found.values()].flatMap((one) => one.told ?? []);
  const isTold = guard('nothing was given to the model', () => {
    if (told.length > 0) project.recorder.append(told);
    return true;
  });
  if (isTold !== true) return NOTHING;
  const text = all
    .map((one) => one.text)
    .filter(Boolean)
    .join('\n');
  const isShown = event === 'SessionStart' && config.recall.notice && text !== '';
  return { text, notice: isShown ? noticeOf(all, text) : '' };
}

/** `ben10: 6 rules, 3 open tasks, 970 tokens` */
function noticeOf(all: readonly Given[], text: string): string {
  // Not by toLocaleString: its first call takes 18 ms.
  const tokens = `${String(estimateTokens(text)).replace(/\B(?=(?:\d{3})+$)/g, ',')} tokens`;
  return `ben10: ${[...all.flatMap(({ counts = [] }) => counts), tokens].join(', ')}`;
}

/**
 * The answer in the client's form: JSON, or plain text for a compaction's instructions.
 * @param notices lines for the user
 */
export function answerTo(event: string, text: string, notices: readonly string[]): string {
  const isPlain = event === 'PreCompact';
  const hookSpecificOutput = { hookEventName: event, additionalContext: text };
  const answer = {
    ...(text !== '' && !isPlain && { hookSpecificOutput }),
    ...(notices.length > 0 && { systemMessage: notices.join('\n') }),
  };
  if (isPlain) return text;
  return Object.keys(answer).length === 0 ? '' : JSON.stringify(answer);
}

/**
 * Claude Code (2.1.329) adds a PreCompact hook's output to the compaction's instructions, and names itself in the
 * environment. In other clients with the same settings it would be noise; one may run in another's shell.
 */
function isClaudeCode(session: string): boolean {
  const { CLAUDECODE, CLAUDE_CODE_SESSION_ID } = process.env;
  return CLAUDE_CODE_SESSION_ID === undefined
    ? CLAUDECODE === '1'
    : CLAUDE_CODE_SESSION_ID === session;
}
