import type {
  CompactionFinished,
  JournalEvent,
  MessageRecorded,
  PromptSubmitted,
  SubagentStopped,
  ToolCalled,
  ToolFailed,
  ToolSucceeded,
  TurnEnded,
  WorkSaved,
} from '../events/types.ts';
import { headOf } from '../projections/bounds.ts';
import { askedOf, unfolded } from '../projections/outcome/command.ts';
import { outcomeOf } from '../projections/outcome/of-call.ts';
import { unwrapped } from '../projections/outcome/run.ts';
import { oneLine } from '../projections/safe-text.ts';
import {
  aboutOf,
  answerText,
  fileOf,
  isObject,
  isOwnCommand,
  isOwnTool,
  textOf,
  wordsOf,
} from '../projections/tools-text.ts';
import type { Basis, Kind, SearchDocument } from './document.ts';

/** What a call's outcome needs of it. */
export interface Call {
  toolUseId: string;
  name: string;
  /** Its command, file, pattern or question. */
  about: string;
  file: string | undefined;
  isEdit: boolean;
  /** ben10's own words are no evidence. */
  isOwn: boolean;
}

type Texts = SearchDocument['texts'];
type Content = { kind: Kind; basis: Basis; texts: Texts };

/** Characters of a field. */
const TITLE = 400;
const BODY = 16_000;
const REST = 2_000;
const NEW_LINES = 8_192;
const OUTPUT = 2_048;
const FAILURE = 8_192;
const JUDGED = 4_000;
const FILE = 300;
const FILES_MAX = 20;
const NAME = 100;
const COMMAND = 8_000;
const TIME_MAX = 8.64e15;

/** Undefined where there is nothing to be found. @param call of a call's events, if it is known */
export function documentOf(
  event: JournalEvent,
  call: Call | undefined,
): SearchDocument | undefined {
  const content = contentOf(event, call);
  if (content === undefined) return undefined;
  const { kind, basis } = content;
  const texts = Object.fromEntries(Object.entries(content.texts).filter(([, text]) => text !== ''));
  if (Object.keys(texts).length === 0) return undefined;
  const { seq, session } = event;
  return { seq, session, at: timeOf(event.at), kind, basis, texts };
}

/** A journal may claim any time. */
export const timeOf = (at: number | null | undefined): number =>
  typeof at === 'number' && at > 0 && at < TIME_MAX ? Math.floor(at) : 0;

function contentOf(event: JournalEvent, call: Call | undefined): Content | undefined {
  const { data } = event;
  switch (event.type) {
    case 'prompt.submitted': {
      const text = textOf((data as PromptSubmitted).text) ?? '';
      return isOwnCommand(text) ? undefined : said('prompt', 'user', text);
    }
    case 'message.recorded': {
      const { role, kind, text } = data as MessageRecorded;
      if (kind !== 'text') return undefined;
      return said(role === 'user' ? 'task' : 'answer', 'agent', textOf(text));
    }
    case 'turn.ended': {
      const { lastMessage, error } = data as TurnEnded;
      return error === undefined ? said('answer', 'agent', textOf(lastMessage)) : undefined;
    }
    case 'subagent.stopped':
      return said('task', 'agent', textOf((data as SubagentStopped).lastMessage));
    case 'compaction.finished':
      return said('summary', 'machine', textOf((data as CompactionFinished).summary));
    case 'work.saved':
      return saved(data as WorkSaved);
    case 'tool.called':
      return call && called(call, (data as ToolCalled).input);
    case 'tool.succeeded':
    case 'tool.failed':
      return ended(event, data as ToolSucceeded | ToolFailed, call);
    default:
      return undefined;
  }
}

const said = (kind: Kind, basis: Basis, text = ''): Content => ({
  kind,
  basis,
  texts: { body: headOf(text.trim(), BODY) },
});

function saved({
  taskSummary = '',
  notes = '',
  workingFiles = [],
  todos = [],
}: WorkSaved): Content {
  const body = [notes, ...todos.map(({ content }) => content)].join('\n');
  const files = workingFiles.slice(0, FILES_MAX).map((file) => headOf(file, FILE));
  return {
    kind: 'work',
    basis: 'agent',
    texts: {
      title: oneLine(headOf(taskSummary, TITLE)),
      files: files.join('\n'),
      body: headOf(body, BODY),
    },
  };
}

/** What a call says of itself. */
export function callIn({ data }: JournalEvent): Call {
  const { toolUseId, name, input } = data as ToolCalled;
  const about = headOf(aboutOf(input), COMMAND);
  const file = fileOf(input);
  const isEdit = file !== undefined && newLinesIn(input) !== '';
  const isOwn =
    isOwnTool(name) ||
    (name === 'ToolSearch' && about.includes('__ben10__')) ||
    (name === 'Bash' && runsBen10(about));
  return { toolUseId, name, about, file, isEdit, isOwn };
}

const BEN10 = /(?:^|[\\/])ben10(?:\.c?js)?(?:@[\w.-]+)?$/;

const runsBen10 = (command: string): boolean =>
  command.includes('ben10') &&
  unfolded(command).some(({ words }) =>
    unwrapped(words)
      .slice(0, 2)
      .some((one) => BEN10.test(one)),
  );

/** The new text of an edit, by any tool that names a file. */
function newLinesIn(input: unknown): string {
  if (!isObject(input)) return '';
  const edits = Array.isArray(input.edits) ? input.edits.filter(isObject) : [];
  const texts = [input, ...edits].flatMap((one) => [one.new_string, one.content, one.new_source]);
  return texts.map(textOf).filter(Boolean).join('\n');
}

function called({ name, about, file, isEdit, isOwn }: Call, input: unknown): Content | undefined {
  if (isOwn) return undefined;
  const rest = isObject(input)
    ? Object.values(input).filter((value) => value !== file && textOf(value) !== about)
    : [];
  const body = isEdit
    ? headOf(newLinesIn(input), NEW_LINES)
    : headOf([about.slice(TITLE), wordsOf(rest)].filter(Boolean).join('\n'), REST);
  return {
    kind: isEdit ? 'edit' : 'call',
    basis: 'ran',
    texts: { ...ofCall(name, about, file), body },
  };
}

const ofCall = (name: string, about: string, file: string | undefined): Texts => ({
  // Its lines are the call, and what came of it.
  title: oneLine(headOf(about, TITLE)),
  names: headOf(name, NAME),
  files: headOf(file ?? '', FILE),
});

/** Tools whose answers are the user's. */
const ASKING = /^(?:AskUserQuestion|ExitPlanMode)$/;
const COMMITTED = /^\[[^\]\n]{1,200} [0-9a-f]{7,64}\] .+/m;

function ended(
  event: JournalEvent,
  data: ToolSucceeded | ToolFailed,
  call: Call | undefined,
): Content | undefined {
  const { name = data.name ?? '', about = '', file } = call ?? {};
  if (call?.isOwn === true || isOwnTool(name)) return undefined;
  const isError = event.type === 'tool.failed';
  // They repeat what is in the file.
  if (!isError && (call?.isEdit === true || name === 'Read')) return undefined;
  const isShell = name === 'Bash';
  const output = isError
    ? (textOf((data as ToolFailed).error) ?? '')
    : answerText((data as ToolSucceeded).response);
  if (output === '' && !isShell) return undefined;
  const { title = '', ...rest } = ofCall(name, about, file);
  const texts = { ...rest, output: endsOf(output, isError ? FAILURE : OUTPUT) };
  const printed = isShell && /\bgit\b/.test(about) ? COMMITTED.exec(output)?.[0] : undefined;
  const commit = printed ?? (isShell && !isError ? quietCommitIn(about) : undefined);
  if (commit !== undefined) {
    // The command repeats it.
    const subject = commit.slice(commit.indexOf('] ') + 2);
    const message = {
      title: headOf(commit, TITLE),
      body: headOf(
        about.replace(subject, () => ''),
        REST,
      ),
    };
    return { kind: 'commit', basis: 'ran', texts: { ...texts, ...message } };
  }
  const told =
    isShell || isError ? verdictOf({ type: event.type, data }, output, isShell ? about : null) : '';
  return {
    kind: 'call',
    basis: !isError && ASKING.test(name) ? 'user' : 'ran',
    texts: { ...texts, title: [title, told].filter(Boolean).join('\n') },
  };
}

/** The message of a `git commit -q`, which prints nothing. */
function quietCommitIn(command: string): string | undefined {
  const commit = unfolded(command)
    .map(({ words }) => unwrapped(words))
    .find(([git, verb, ...options]) => {
      const isQuiet = options.some((one) => /^(?:-[a-z]*q[a-z]*|--quiet)$/.test(one));
      return git === 'git' && verb === 'commit' && isQuiet;
    });
  const at = commit?.findIndex((word) => /^(?:-[a-z]*m|--message)$/.test(word)) ?? -1;
  return at === -1 ? undefined : commit?.[at + 1];
}

/** Its beginning and its end, where most programs say what went wrong. */
function endsOf(text: string, chars: number): string {
  if (text.length <= chars) return text;
  return `${headOf(text, chars / 2)}\n${text.slice(-chars / 2).toWellFormed()}`;
}

/** How a call ended, and the line that tells it: in a long output either stands near one of its ends. */
function verdictOf(
  { type, data }: { type: string; data: ToolSucceeded | ToolFailed },
  whole: string,
  command: string | null,
): string {
  const output = endsOf(whole, JUDGED);
  const { response } = data as ToolSucceeded;
  const cut = isObject(response) ? { ...response, stdout: output, stderr: '' } : output;
  const told = { ...data, error: output, response: cut };
  const { verdict, cause } = outcomeOf(
    { type, data: told },
    command === null ? null : askedOf(command),
  );
  return [verdict, oneLine(headOf(cause, TITLE))].filter(Boolean).join(': ');
}

/** By which a message is known that two sources tell of; undefined for other events. */
export function saidIn({ type, data }: JournalEvent): string | undefined {
  const { role, lastMessage, text } = data as Partial<MessageRecorded> & TurnEnded;
  if (type === 'message.recorded') return role === 'assistant' ? textOf(text) : undefined;
  return type === 'turn.ended' || type === 'subagent.stopped' ? textOf(lastMessage) : undefined;
}
