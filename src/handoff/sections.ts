import type { CheckpointBegun, WipCommitted } from '../events/types.ts';
import { readView } from '../monitor/view.ts';
import { fieldOf, headOf } from '../projections/bounds.ts';
import { handoffs } from '../projections/folds/handoffs.ts';
import { looksAround } from '../projections/outcome/command.ts';
import type { Item } from '../recall/item.ts';
import {
  RUNS,
  type Statement,
  SUBJECT_CHARS,
  statementOf,
  TAG_CHARS,
  todoStatements,
} from './claims.ts';
import { fileStatements, readStatement } from './files.ts';
import { endedAt, type Gathered } from './gather.ts';
import { issueLine } from './issue.ts';
import { lastWords, said, textIn } from './next-steps.ts';
import { toReload } from './reload.ts';
import type { Line, Section } from './render.ts';
import { OURS } from './user-file.ts';

export type Begun = CheckpointBegun & { seq: number };

/** What a document is about. */
export interface About extends Gathered {
  begun: Begun;
  steps: Statement[];
  wip: WipCommitted | undefined;
}

/** All sections in their order. @returns them with these items in their places, and so many more characters of runs */
export function layoutOf(about: About): (items: readonly Item[], free?: number) => Section[] {
  const { begun, clean, steps, work } = about;
  const given = said('summary', begun.seq, [textIn(begun.summary)], clean);
  const { saidSeq, taskSummary } = work ?? { saidSeq: 0, taskSummary: '' };
  const task = said('saved', saidSeq, [taskSummary ?? ''], clean);
  const dropped = said('rejected', begun.seq, begun.rejected ?? [], clean);
  const rejected = within(REJECTED_CHARS, dropped);
  const reload = within(REST_CHARS, reloadLines(about));
  const files = [
    ...within(STATUS_CHARS, statusTable(about)),
    ...headLines(about),
    ...wipLines(about),
    ...within(FILES_CHARS, fileStatements(about)),
    ...readStatement(about),
  ];
  const left = [budgetLine(about)];
  const todos = progress(about);
  const words = steps.some(({ kind }) => kind === 'words') ? [] : lastWords(about);
  return (items, free = 0) => {
    const shown = new Map(items.map((item) => [item.key, item.text]));
    const lines = about.items
      .filter(({ key }) => shown.has(key))
      .toSorted((a, b) => a.seq - b.seq)
      .map((item) => ({
        kind: item.text.startsWith('refuted by @') ? 'refuted' : item.kind,
        line: statementOf(about, item, shown.get(item.key)),
      }));
    const of = (...kinds: string[]): Statement[] =>
      lines.flatMap(({ kind, line }) =>
        kinds.includes(kind) ? [{ ...line, text: `${LABELS[kind] ?? ''}${line.text}` }] : [],
      );
    const decisions = of('rule', 'correction', 'decision', 'finding', 'subagent');
    return [
      { title: 'Checkpoint Reason', lines: reasonOf(about) },
      { title: 'Context to Reload', lines: reload },
      {
        title: 'Task and Progress',
        lines: [...given, ...task, ...todos, ...of('prompt'), ...words],
      },
      { title: 'Issue', lines: issueLines(about) },
      { title: 'Next Steps', lines: within(STEPS_CHARS, steps), isNumbered: true },
      { title: 'Decisions', lines: decisions },
      { title: 'Files', lines: files },
      {
        title: 'Commands and Results',
        lines: within(COMMANDS_CHARS + free, runStatements(about, shown)),
      },
      { title: 'Open Errors', lines: of('error') },
      { title: 'Tried and Rejected', lines: [...rejected, ...of('refuted')] },
      { title: 'Remaining Context Budget', lines: left },
    ];
  };
}

const STATUS_CHARS = 700;

/** As `git status` has it. */
function statusTable({ tree, clean }: About): Line[] {
  const flags = ['--porcelain', '-z', '--no-renames', '--ignore-submodules=dirty'];
  const others = OURS.map((name) => `:(exclude,top)${name}`);
  const told = tree.git('status', ...flags, '--', ':(top)', ...others);
  if (told === undefined) return ['git: no answer, or no repository.'];
  const rows = told
    .split('\0')
    .map((entry) => [entry.slice(0, 2), Buffer.from(entry.slice(3), 'latin1').toString()] as const)
    .filter(([, name]) => name !== '')
    .map(([state, name]) => `| ${state.trim()} | ${clean(name, 200).replaceAll('|', '¦')} |`);
  return rows.length === 0
    ? ['git: nothing uncommitted.']
    : ['| git | file |', '|---|---|', ...rows];
}

/** What later commits are told by. */
function headLines({ tree, begun: { seq } }: About): Statement[] {
  const commit = tree.head();
  if (commit === undefined) return [];
  const text = `HEAD: ${commit.slice(0, 12)}`;
  return [{ kind: 'head', seq, basis: 'seen', subject: 'HEAD', fact: commit, text }];
}

const STEPS_CHARS = 1000;
const FILES_CHARS = 1000;
const COMMANDS_CHARS = 1000;
const REJECTED_CHARS = 1500;
const REST_CHARS = 500;

const LABELS: Readonly<Record<string, string>> = {
  rule: 'The user’s rule: ',
  correction: 'The user’s correction: ',
  decision: 'Decided: ',
  finding: 'Found: ',
  subagent: 'Sub-agent ',
  prompt: 'The user said: ',
};

/** Whole lines, and how many are left out. */
function within(chars: number, lines: readonly Line[]): Line[] {
  let left = chars;
  const fits = lines.findIndex((line) => {
    left -= (typeof line === 'string' ? line : line.text).length + TAG_CHARS;
    return left < 0;
  });
  if (fits === -1) return [...lines];
  const kept = Math.max(1, fits);
  return [
    ...lines.slice(0, kept),
    ...(kept < lines.length ? [`… and ${lines.length - kept} more`] : []),
  ];
}

const LONG_COMMAND = /^(`.{70}).+(?=` → )/s;
const RUN_CHARS = 120;

/** The newest first: what is run again is mostly what was run last. */
function runStatements(about: About, told: ReadonlyMap<string, unknown>): Statement[] {
  const isRun = ({ kind, key, seq }: Item): boolean => {
    const ended = RUNS.has(kind) && !told.has(key) ? endedAt(about, seq) : undefined;
    return ended?.name === 'Bash' && !looksAround(ended.command);
  };
  return about.items
    .filter(isRun)
    .toSorted((a, b) => b.seq - a.seq)
    .map((item) => {
      const shown = headOf(item.text.replace(LONG_COMMAND, '$1…'), RUN_CHARS);
      return statementOf(about, item, shown);
    });
}

const BY: Readonly<Record<Begun['trigger'], string>> = {
  alert: 'ben10, in the middle of a turn',
  tool: 'the model',
  'turn-end': 'the hook of the turn’s end',
  'pre-compact': 'the hook of the compaction',
  'session-end': 'the hook of the session’s end',
  manual: 'hand',
  loop: 'the loop',
};

function reasonOf({ begun, clean }: About): Line[] {
  const { level, percent, trigger, reason, seq } = begun;
  const at = percent === undefined ? '' : `Context reached ${Math.round(percent)}%. `;
  const which = level === 'C' ? 'before a compaction' : `at ${level}`;
  const text = `${at}${level === 'manual' ? 'Asked for' : `Taken ${which}`}, by ${BY[trigger]}.`;
  const fact = `${level} ${trigger}`;
  return [
    { kind: 'checkpoint', seq, basis: 'seen', subject: 'checkpoint', fact, text },
    ...said('reason', seq, reason === undefined ? [] : [reason], clean),
  ];
}

const reloadLines = (about: About): Line[] =>
  toReload(about).map(({ file, heading, from, to, hash: fact }) => {
    const { begun, clean } = about;
    const subject = clean(`${file}#${heading}`, SUBJECT_CHARS);
    const text = `${clean(file, 160)}: ${clean(heading, 100) || 'its beginning'} (lines ${from}–${to})`;
    return { kind: 'section', seq: begun.seq, basis: 'derived', subject, fact, text };
  });

const TODOS_CHARS = 700;
const DONE_SHOWN = 4;
const MARKS: Readonly<Record<string, string>> = { completed: '[x]', in_progress: '[~]' };

function progress(about: About): Line[] {
  const todos = todoStatements(about);
  const isDone = ({ fact }: Statement) => fact === 'completed';
  const told = new Set(about.steps.map(({ kind, subject }) => `${kind} ${subject}`));
  const open = todos.filter((one) => !isDone(one) && !told.has(`todo ${one.subject}`));
  const done = todos.filter(isDone);
  const shown = [...open, ...done.slice(-DONE_SHOWN)].map((one) => ({
    ...one,
    text: `${MARKS[one.fact] ?? '[ ]'} ${one.text}`,
  }));
  return within(TODOS_CHARS, shown);
}

function issueLines({ project, begun, tasks, clean }: About): Line[] {
  const done = tasks.filter(({ status }) => status === 'completed').length;
  const todos = tasks.length === 0 ? '' : ` Todos done: ${done} of ${tasks.length}.`;
  return [`${issueLine(project, begun.issue, clean)}${todos}`];
}

function wipLines({ project, begun, clean, wip }: About): Line[] {
  if (wip === undefined) return [];
  const { checkpoints } = project.states.at(handoffs, null).state;
  const seq = fieldOf(checkpoints, begun.checkpoint)?.wip?.seq ?? begun.seq;
  const { commit, ref, files, leftOut } = wip;
  const subject = clean(ref, SUBJECT_CHARS);
  const text = `Work in progress: commit ${commit.slice(0, 12)} on ${subject}, ${files} files`;
  const out = leftOut.map(({ path, why }) => `Not in that commit: ${clean(path, 160)} (${why})`);
  return [
    { kind: 'wip', seq, basis: 'seen', subject, fact: commit, text },
    ...within(LEFT_OUT_CHARS, out),
  ];
}

const LEFT_OUT_CHARS = 300;

function budgetLine({ project, session, begun: { percent } }: About): string {
  if (percent === undefined) return 'Not known.';
  const left = Math.max(0, 100 - Math.round(percent));
  const { window } = readView(project.root, session) ?? {};
  const tokens = window && Math.round((window * left) / 100).toLocaleString('en-US');
  return `Estimated ${left}%${tokens ? ` (~${tokens} tokens)` : ''} remaining in original session.`;
}
