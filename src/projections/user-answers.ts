import { isObject, textOf } from './tools-text.ts';

/** What users say through a tool's result: answers to questions, approved plans, refused calls, in the client's frame. */

export interface Refusal {
  words: string | null;
}

const REFUSED =
  /^(?:Error: )?(?:The user doesn['’]t want to (?:proceed with this tool use|take this action right now)|Permission for this tool use was denied\. The tool use was rejected|The agent proposed a plan that was rejected by the user)/;
const SAID = /\bthe user said:\s*([\s\S]*)$/i;
/** The client's note behind them. */
const CLIENTS_NOTE = /\n\s*\nNote: The user['’]s next message [\s\S]*$/;
/** The client's text in their place. */
const CLIENTS_WORDS = /^The user wants to clarify these questions\b/;
const WORDS_CHARS = 2000;

/**
 * @param error of a failed call
 * @param tool MCP servers write their own errors, so theirs need the client's `isInterrupt`
 */
export function refusalOf(tool: string, error: string, isInterrupt = false): Refusal | undefined {
  if ((tool.startsWith('mcp__') && !isInterrupt) || !REFUSED.test(error)) return undefined;
  const said = SAID.exec(error)?.[1]?.replace(CLIENTS_NOTE, '').trim() ?? '';
  const words = said === '' || CLIENTS_WORDS.test(said) ? null : said.slice(0, WORDS_CHARS);
  return { words };
}

interface UserAnswer {
  question: string;
  answer: string;
  /** Not one of the answers that the agent offered. */
  isOwn: boolean;
}

const ANSWERS_MAX = 8;
const PAIR = /"((?:[^"\\]|\\.)+)"="((?:[^"\\]|\\.)+)"/g;

/** Answers to AskUserQuestion, from the client's structure or its sentence for the model. */
export function answersIn(response: unknown): UserAnswer[] {
  const { answers, questions } = isObject(response) ? response : {};
  const pairs: [string, unknown][] = isObject(answers)
    ? Object.entries(answers)
    : Array.from(
        (textOf(response) ?? blocksText(response)).matchAll(PAIR),
        ([, question = '', answer = '']): [string, string] => [question, answer],
      );
  const offered = new Set(labelsOf(questions));
  return pairs.slice(0, ANSWERS_MAX).flatMap(([question, value]): UserAnswer[] => {
    const chosen = Array.isArray(value) ? value.map((one) => textOf(one) ?? '') : [textOf(value)];
    const answer = chosen.filter(Boolean).join(', ').trim();
    if (answer === '') return [];
    const isOwn = offered.size > 0 && !answer.split(/,\s+/).every((one) => offered.has(one));
    return [{ question: question.trim(), answer, isOwn: isOwn && !offered.has(answer) }];
  });
}

const labelsOf = (questions: unknown): string[] =>
  (Array.isArray(questions) ? questions : []).flatMap((one) =>
    isObject(one) && Array.isArray(one.options)
      ? one.options.flatMap((option) => (isObject(option) ? (textOf(option.label) ?? []) : []))
      : [],
  );

const blocksText = (response: unknown): string =>
  Array.isArray(response)
    ? response.map((one) => (isObject(one) ? (textOf(one.text) ?? '') : '')).join('\n')
    : '';

const APPROVED = /^User has approved [\s\S]*?## Approved Plan[^\n]*:\s*\n([\s\S]*)$/;

/** The plan approved in ExitPlanMode; undefined when unknown, or a sub-agent's. */
export function approvedPlan(response: unknown): string | undefined {
  if (isObject(response) && response.isAgent !== true) {
    const plan = textOf(response.plan);
    if (plan !== undefined && plan.trim() !== '') return plan;
  }
  return APPROVED.exec(textOf(response) ?? blocksText(response))?.[1];
}
