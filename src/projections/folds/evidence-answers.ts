import { headOf, joinedWhere } from '../bounds.ts';
import type { Noteworthy } from '../noteworthy.ts';
import { specifics } from '../sentence-patterns.ts';
import { answersIn, approvedPlan, type Refusal } from '../user-answers.ts';
import { REFUSAL_CHARS } from './preferences.ts';

const QUESTION_CHARS = 160;
const ANSWER_CHARS = 240;
const ABOUT_CHARS = 120;
const PART_CHARS = 240;
const PARTS_MAX = 8;
const PLAN_CHARS = 12_000;

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** What the user decided in a call: each answer with its question, or the approved plan. */
export function chosenBy(tool: string, response: unknown): Noteworthy[] {
  if (tool === 'AskUserQuestion')
    return answersIn(response).map(({ question, answer }) => {
      const asked = headOf(oneLine(question), QUESTION_CHARS);
      const text = `the user was asked “${asked}” → ${headOf(oneLine(answer), ANSWER_CHARS)}`;
      return { kind: 'chosen', text, weight: 100 };
    });
  if (tool !== 'ExitPlanMode') return [];
  const plan = approvedPlan(response);
  return plan === undefined ? [] : planned(plan.slice(0, PLAN_CHARS));
}

/** The plan's lines joined into longer ones; of a long plan only those that name paths and figures. */
function planned(plan: string): Noteworthy[] {
  const lines = plan
    .replace(/^\s*(?:```.*|[-=*_]{3,}\s*)$/gm, '')
    .split('\n')
    .map((line) => oneLine(line.replace(/^\s*(?:#+|[-*•])\s+/, '').replace(/\*\*|__/g, '')))
    .filter((line) => line !== '' && !/^plan:?$/i.test(line));
  const all = together(lines);
  const parts = all.length <= PARTS_MAX ? all : together(lines.filter((one) => specifics(one) > 0));
  return parts.slice(0, PARTS_MAX).map((part, n): Noteworthy => {
    return {
      kind: 'chosen',
      text: `plan that the user approved → ${part}`,
      weight: n === 0 ? 95 : 80,
    };
  });
}

const together = (lines: readonly string[]): string[] =>
  joinedWhere(
    lines.map((line) => headOf(line, PART_CHARS)),
    (before, line) =>
      before.length + line.length < PART_CHARS ? `${before} · ${line}` : undefined,
  );

/** A refused call, and after the arrow what the user said. */
export function refused(
  { name, about }: { name: string; about: string },
  { words }: Refusal,
): Noteworthy {
  const call = name === 'Bash' ? `\`${headOf(about, ABOUT_CHARS)}\`` : `${name} ${about}`.trim();
  const said = words === null ? '' : ` → ${headOf(oneLine(words), REFUSAL_CHARS)}`;
  const text = `refused by the user: ${headOf(call, ABOUT_CHARS + 2)}${said}`;
  return { kind: 'refused', text, weight: words === null ? 40 : 100 };
}
