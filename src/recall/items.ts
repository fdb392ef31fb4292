import { sha256Hex } from '../platform/sha256.ts';
import { headOf } from '../projections/bounds.ts';
import type { ContextState } from '../projections/folds/context.ts';
import type { ToolRun } from '../projections/folds/tools.ts';
import { isOwnTool } from '../projections/tools-text.ts';
import { decisiveLine } from './decisive-line.ts';

/** The sections of a recall. */
export const KINDS = [
  'rule',
  'task',
  'disk',
  'error',
  'correction',
  'prompt',
  'decision',
  'file',
  'command',
  'subagent',
] as const;
export type Kind = (typeof KINDS)[number];

/** Something worth giving back, with the event that proves it. */
export interface Item {
  kind: Kind;
  text: string;
  seq: number;
  /** Milliseconds since the epoch. */
  at: number;
  /** Names the item from recall to recall, so that it is not given twice. */
  key: string;
  /** What it is worth; see `worth.ts`. */
  worth: number;
}

/** A known file that the disk has otherwise than the journal. */
export interface ChangedOnDisk {
  path: string;
  status: 'changed' | 'deleted';
  /** Of the event in which the journal last saw it. */
  seq: number;
  at: number;
}

type Found = Omit<Item, 'key' | 'worth'>;

const LINE_CHARS = 300;
const PROMPT_CHARS = 500;
const AGENT_CHARS = 8;

/** The order in which things happened: late witnesses bring old things. */
export const byTime = (a: Pick<Item, 'at' | 'seq'>, b: Pick<Item, 'at' | 'seq'>): number =>
  a.at - b.at || a.seq - b.seq;

/** Everything in a context that could be given back; which of it is, is decided elsewhere. */
export function findItems(
  state: ContextState,
  onDisk: readonly ChangedOnDisk[] = [],
): Omit<Item, 'worth'>[] {
  const inside = pathShortener(state.directory);
  const found = [
    ...disk(onDisk, inside),
    ...preferences(state),
    ...tasks(state),
    ...commands(state, inside),
    ...prompts(state),
    ...state.decisions.map((decision) => ({ kind: 'decision' as const, ...decision })),
    ...files(state, inside),
    ...subagents(state),
  ];
  return found.map((item) => ({ ...item, key: keyOf(item) }));
}

const keyOf = ({ kind, text }: Found): string => sha256Hex(`${kind}\0${text}`).slice(0, 12);

/** Paths inside the project are shown from its folder on. */
function pathShortener(directory: string | null): (text: string) => string {
  const prefix = directory === null || directory.length < 2 ? undefined : `${directory}/`;
  return (text) => (prefix === undefined ? text : text.replaceAll(prefix, ''));
}

/** Which tool to use is a rule, too. */
function preferences({ preferences: { rules, tools, corrections } }: ContextState): Found[] {
  const said = (kind: Kind, list: typeof rules) =>
    list.map(({ text, seq, at }): Found => ({ kind, text, seq, at }));
  return [...said('rule', [...rules, ...tools]), ...said('correction', corrections)];
}

/** The newest; a list of hundreds, as after a pull, says no more than its length. */
const DISK_MAX = 12;

function disk(onDisk: readonly ChangedOnDisk[], inside: (text: string) => string): Found[] {
  const newest = onDisk.toSorted(byTime).slice(-DISK_MAX);
  const found = newest.map(({ path, status, seq, at }): Found => {
    return { kind: 'disk', text: `${headOf(inside(path), LINE_CHARS)} ${status}`, seq, at };
  });
  const [first] = newest;
  const more = onDisk.length - newest.length;
  if (first !== undefined && more > 0)
    found.unshift({ ...first, kind: 'disk', text: `… and ${more} more: ben10 diff lists them` });
  return found;
}

function tasks({ tasks }: ContextState): Found[] {
  const marks = {
    pending: '[ ]',
    in_progress: '[in progress]',
    completed: '[done]',
    deleted: '[gone]',
  };
  return Object.values(tasks.tasks).map(({ id, subject, description, status, seq, at }) => {
    const more =
      description === '' || description === subject ? '' : ` (${headOf(description, 160)})`;
    return { kind: 'task', text: `${marks[status]} #${id} ${subject}${more}`, seq, at };
  });
}

/**
 * Shell commands with their outcomes. A command that failed and was not seen to pass since is an open error; one
 * that was repeated is shown by its last run, whoever ran it; a sub-agent's is marked as its. Calls of ben10's own
 * tools are none of it, nor are those of a branch that a rewind abandoned.
 */
function commands({ tools }: ContextState, inside: (text: string) => string): Found[] {
  const last = new Map<string, ToolRun>();
  for (const run of tools.runs) {
    if (isOwnTool(run.name) || run.abandoned) continue;
    if (run.outcome === 'open' || (run.name !== 'Bash' && run.outcome !== 'failed')) continue;
    const key = `${run.name} ${run.about}`;
    last.delete(key);
    last.set(key, run);
  }
  return [...last.values()].map((run) => {
    const failed = run.outcome === 'failed';
    const what =
      run.name === 'Bash'
        ? `\`${headOf(run.about, LINE_CHARS)}\``
        : `${run.name} ${headOf(run.about, 160)}`;
    const code = run.exitCode === null ? 'failed' : `exit ${run.exitCode}`;
    const line = decisiveLine(run.head, run.tail, failed);
    const who = run.agent === null ? '' : `[sub-agent ${run.agent.slice(0, AGENT_CHARS)}] `;
    const why = line === '' ? '' : `: ${headOf(line, LINE_CHARS)}`;
    const text = inside(`${who}${what} → ${code}${why}`);
    return { kind: failed ? 'error' : 'command', text, seq: run.outcomeSeq ?? run.seq, at: run.at };
  });
}

/** But for those that were a correction and nothing else: they are told as such. */
function prompts({ conversation, preferences: { corrections } }: ContextState): Found[] {
  const told = new Set(corrections.map(({ text }) => text));
  return conversation.messages
    .filter((message) => message.role === 'user' && !told.has(message.content.trim()))
    .map(({ content, seq, timestamp }) => {
      const text = headOf(content.replace(/\s+/g, ' ').trim(), PROMPT_CHARS);
      return { kind: 'prompt', text, seq, at: timestamp };
    });
}

function files({ files }: ContextState, inside: (text: string) => string): Found[] {
  return Object.values(files.files)
    .filter((file) => file.edits > 0)
    .map((file) => {
      const times = file.edits > 1 ? `, ${file.edits} times` : '';
      const lines =
        file.linesAdded + file.linesRemoved === 0
          ? ''
          : `, +${file.linesAdded} −${file.linesRemoved} lines`;
      const text = `${inside(file.path)} ${file.lastAction}${times}${lines}`;
      return { kind: 'file', text, seq: file.changedSeq ?? file.lastSeq, at: file.lastAt };
    });
}

function subagents({ conversation }: ContextState): Found[] {
  return conversation.subagents
    .filter(({ result }) => result !== '')
    .map(({ agent, toolCalls, result, seq }) => {
      const said = headOf(result.replace(/\s+/g, ' ').trim(), LINE_CHARS);
      return {
        kind: 'subagent',
        text: `${agent.slice(0, AGENT_CHARS)} (${toolCalls} tool calls): ${said}`,
        seq,
        at: 0,
      };
    });
}
