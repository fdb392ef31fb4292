import { existsSync } from 'node:fs';
import path from 'node:path';
import { defined } from '../capture/json.ts';
import type { HandoffCreated, WipCommitted } from '../events/types.ts';
import { journalRange } from '../journal/read/range.ts';
import { sha256 } from '../platform/sha256.ts';
import type { Project } from '../project/open.ts';
import { isRequest } from '../projections/clauses.ts';
import { handoffs, previousOf } from '../projections/folds/handoffs.ts';
import { EXPLAINS, INTENDS, STEPS } from '../projections/sentence-patterns.ts';
import { choose } from '../recall/choose.ts';
import type { Item } from '../recall/item.ts';
import { isWorthALine, type Weighed } from '../recall/worth.ts';
import { headOfRepository } from '../workspace/head.ts';
import { chainOf, eventAt } from './at-seq.ts';
import { SUBJECT_CHARS } from './claims.ts';
import { type Gathered, gather } from './gather.ts';
import { isAsked, isOpen, nextStepsOf } from './next-steps.ts';
import { rendered, type Section } from './render.ts';
import { type About, type Begun, layoutOf } from './sections.ts';
import type { Tree } from './tree.ts';

/** Where documents are, in the worktree. */
export const HANDOFFS_DIR = '.claude/handoffs';
export const DOCUMENT_CHARS = 8000;
const ISSUE_CHARS = 80;

export type HandoffDocument = HandoffCreated & { text: string };

/**
 * The document of a checkpoint, at most `DOCUMENT_CHARS` long, as its event records it. Writes nothing.
 * @param given the event of its begin
 * @param wip the commit of the work in progress, if one was made; its event is in the journal
 */
export function documentOf(project: Project, given: Begun, wip?: WipCommitted): HandoffDocument {
  const { ports, reader } = project;
  const event = eventAt(project, given.seq);
  const session = event?.session ?? '';
  const upto = journalRange(ports, reader).last;
  const chain = chainOf(project, upto) ?? '';
  const gathered = gather(project, { session, worktree: given.worktree, upto });
  const { tree, clean } = gathered;
  const { issue: named = '', ...rest } = given;
  const issue = clean(named, ISSUE_CHARS);
  const begun = { ...rest, ...(issue !== '' && { issue }) };
  const { checkpoint, level, percent, worktree } = begun;
  const branch = headOfRepository(tree.dir)?.branch;
  const at = new Date(event?.at ?? ports.clock.now());
  const [date = '', time = ''] = localTime(at).slice(0, 16).split('T');
  const previous = previousOf(project.states.at(handoffs, null).state, session);
  const steps = nextStepsOf(gathered, begun);
  const full = percent === undefined ? '' : `${Math.round(percent)}%`;
  // The same in the event, the document and a tool's answer, so that others find it.
  const title = ['Context Checkpoint', level, full && `at ${full}`, issue && `- ${issue}`]
    .filter(Boolean)
    .join(' ');
  const front = {
    session_date: date,
    session_time: time,
    branch: branch ?? '',
    linear_issues: issue,
    checkpoint_trigger: full === '' ? level : `${level} (context at ${full})`,
    context_at_checkpoint: full,
    handoff_id: checkpoint,
    title,
    type: 'change',
    concepts: CONCEPTS,
    session_id: clean(session, SUBJECT_CHARS),
    created: at.toISOString(),
    level,
    journal: reader.origin() ?? '',
    seq: upto,
    chain,
    wip_commit: wip?.commit ?? '',
    previous_handoff: previous ?? '',
  };
  const file = fileFor(tree, `${date}-${time.replace(':', '')}`, checkpoint);
  const about = { ...gathered, begun, steps, wip };
  const heading = headingOf(issue, gathered);
  const { text, claims } = fitting(about, (sections) =>
    rendered(front, heading, sections, resumePrompt(file, steps), project.redact),
  );
  return defined<HandoffDocument>({
    checkpoint,
    file,
    sha256: sha256(Buffer.from(text)).toString('hex'),
    upto,
    chain,
    title,
    type: 'change',
    concepts: CONCEPTS,
    level,
    percent,
    worktree,
    branch: branch && clean(branch, SUBJECT_CHARS),
    previous,
    nextSteps: steps.map((step) => step.text),
    claims,
    text,
  });
}

export const CONCEPTS = ['checkpoint', 'handoff'];

function headingOf(issue: string, { tasks, work, items, clean }: Gathered): string {
  const asked = items.findLast(isAsked)?.text;
  const now =
    tasks.find(({ status }) => status === 'in_progress')?.subject ?? work?.taskSummary ?? asked;
  const what = [issue, clean(now ?? '', 80)].filter(Boolean).join(' ');
  return `# Session Handoff${what === '' ? '' : `: ${what}`}`;
}

/** `2026-01-07T11:45…`, where the user is. */
const localTime = (at: Date): string =>
  new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString();

/** A free name; or the one that a killed process gave this checkpoint's document. */
function fileFor(tree: Tree, name: string, checkpoint: string): string {
  for (let n = 1; ; n += 1) {
    const file = `${HANDOFFS_DIR}/${name}${n === 1 ? '' : `-${n}`}.md`;
    const isFree = !existsSync(path.join(tree.dir, file));
    if (isFree || checkpointIn(tree.textOf(file)) === checkpoint) return file;
  }
}

/** As the front matter of a document names it. */
export const checkpointIn = (text = ''): string | undefined =>
  /^handoff_id: "([0-9a-f]{1,64})"$/m.exec(text)?.[1];

const resumePrompt = (file: string, steps: readonly unknown[]): string =>
  `Go on from the handoff ${file}; do not start over. Run /orient (or \`ben10 orient\`) first: it tells what has changed since.${steps.length === 0 ? '' : ' Then take the first of the next steps above.'}`;

/** Rounds, and characters that may stay free: what an item takes is known only once it is rendered. */
const FITTED = 6;
const FREE_CHARS = 150;

/** Words get what the rest leaves. */
function fitting<T extends { text: string }>(about: About, render: (all: Section[]) => T): T {
  const layout = layoutOf(about);
  let best = render(layout([]));
  let items: Item[] = [];
  let room = DOCUMENT_CHARS - best.text.length;
  for (let n = 0; n < FITTED && room > 0; n += 1) {
    const choice = chosen(about, room);
    const found = render(layout(choice));
    const free = DOCUMENT_CHARS - found.text.length;
    if (free >= 0 && found.text.length > best.text.length) [best, items] = [found, choice];
    if (free >= 0 && free <= FREE_CHARS) break;
    room += free;
  }
  // What words do not need is for older runs.
  const whole = render(layout(items, DOCUMENT_CHARS - best.text.length));
  return whole.text.length <= DOCUMENT_CHARS ? whole : best;
}

/** What a next session cannot find out by itself. */
const DECIDED: ReadonlySet<Item['kind']> = new Set(['rule', 'correction', 'decision', 'prompt']);
const DECIDED_COUNTS = 3;

/** What recall would give of the session, most valuable for its length. */
function chosen({ items, upto, project }: About, room: number): Item[] {
  const offered = bestOfEach(items.filter(isOffered)).map(
    ({ extras: _, ...item }): Item => ({
      ...item,
      worth: item.worth * (DECIDED.has(item.kind) ? DECIDED_COUNTS : 1),
    }),
  );
  const heading = { about: '', upto, now: project.ports.clock.now() };
  return choose(offered, room, heading).items.filter(({ inLineOf }) => inLineOf === undefined);
}

/** Of one event: a long report or a pasted plan must not crowd out the rest. It can be read by the event's number. */
const LINES_OF_EVENT = 3;
/** Older ones have mostly been given up or mended in another way. */
const ERRORS_MAX = 4;

function bestOfEach(items: readonly Weighed[]): Weighed[] {
  const told = new Map<number, number>();
  const errors = items.filter(({ kind }) => kind === 'error').sort((a, b) => b.seq - a.seq);
  const old = new Set(errors.slice(ERRORS_MAX));
  return items
    .toSorted((a, b) => b.worth - a.worth)
    .filter((item) => {
      const before = told.get(item.seq) ?? 0;
      told.set(item.seq, before + 1);
      return before < LINES_OF_EVENT && !old.has(item);
    });
}

/** Runs have a section of their own; what was announced is done since. */
const isOffered = (item: Weighed): boolean =>
  isWorthALine(item) &&
  item.kind !== 'command' &&
  (item.kind !== 'error' || isOpen(item)) &&
  !(SAID_BY_AGENTS.has(item.kind) && isAnnounced(item.text));

const SAID_BY_AGENTS: ReadonlySet<Item['kind']> = new Set(['decision', 'finding']);

const isAnnounced = (text: string): boolean =>
  (INTENDS.test(text) || STEPS.test(text) || isRequest(text)) && !EXPLAINS.test(text);
