import { isObject, textOf } from './tools-text.ts';

/**
 * What the user says by way of a tool's call: answers to questions, plans that were approved, calls that were refused. They come as
 * results of tools, in the client's words around the user's.
 */

/** A call that the user refused, with what they said; null where they said nothing. */
export interface Refusal {
  words: string | null;
}

const REFUSED =
  /^(?:Error: )?(?:The user doesn['’]t want to (?:proceed with this tool use|take this action right now)|Permission for this tool use was denied\. The tool use was rejected|The agent proposed a plan that was rejected by the user)/;
const SAID = /\bthe user said:\s*([\s\S]*)$/i;
/** What the client says behind it, to the model. */
const CLIENTS_NOTE = /\n\s*\nNote: The user['’]s next message [\s\S]*$/;
/** And in place of it. */
const CLIENTS_WORDS = /^The user wants to clarify these questions\b/;
const WORDS_CHARS = 2000;

/**
 * @param error of a call that failed
 * @param tool whose server writes its own errors is not believed in the user's name
 * @param isInterrupt but where the client itself says that it was the user
 */
export function refusalOf(tool: string, error: string, isInterrupt = false): Refusal | undefined {
  if ((tool.startsWith('mcp__') && !isInterrupt) || !REFUSED.test(error)) return undefined;
  const said = SAID.exec(error)?.[1]?.replace(CLIENTS_NOTE, '').trim() ?? '';
  const words = said === '' || CLIENTS_WORDS.test(said) ? null : said.slice(0, WORDS_CHARS);
  return { words };
}

export interface UserAnswer {
  question: string;
  answer: string;
  /** In the user's own words: none of the answers that the agent offered. */
  isOwn: boolean;
}

const ANSWERS_MAX = 8;
const PAIR = /"((?:[^"\\]|\\.)+)"="((?:[^"\\]|\\.)+)"/g;

/** Of a call of AskUserQuestion: in the client's structure, or in the sentence that it writes for the model. */
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

/** The plan that the user approved by a call of ExitPlanMode; undefined where nobody says what it was, or it is a sub-agent's. */
export function approvedPlan(response: unknown): string | undefined {
  if (isObject(response) && response.isAgent !== true) {
    const plan = textOf(response.plan);
    if (plan !== undefined && plan.trim() !== '') return plan;
  }
  return APPROVED.exec(textOf(response) ?? blocksText(response))?.[1];
}
