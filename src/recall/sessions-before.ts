import type { Project } from '../project/open.ts';
import { type ContextState, context } from '../projections/folds/context.ts';
import { type EvidenceState, evidence } from '../projections/folds/evidence.ts';
import { standing } from '../projections/folds/revocations.ts';
import { recentSessions, type SessionRecord, sessions } from '../projections/folds/sessions.ts';
import type { Cut } from '../projections/gather.ts';
import { Passes } from '../projections/outcome/passes.ts';
import { isSlight } from '../projections/slight.ts';
import type { ChangedOnDisk, Item } from './item.ts';
import { findItems, sameThing } from './items.ts';

/** Sessions with next to nothing in them that are skipped. */
const SLIGHT_MAX = 6;

export const lastActive = (project: Project, cut: Cut): string[] =>
  newestFirst(project, () => true, cut, 1).map((one) => one.session);

/** Sessions to continue at a new start: the last one, and where that holds next to nothing, earlier ones down to one with work. */
export function sessionsBefore(project: Project, session: string | undefined, cut: Cut): string[] {
  const isMeant = (one: SessionRecord) =>
    one.session !== session && one.prompts + one.toolCalls > 0;
  const emptiedAt = clearedInVain(project, session, cut);
  const all = newestFirst(project, isMeant, cut, SLIGHT_MAX + 1)
    .filter(({ lastAt }) => lastAt > emptiedAt)
    .map((one) => one.session);
  const work = all.findIndex((one) => !isSlight(project.states.at(context, one, cut).state));
  return work === -1 ? all : all.slice(0, work + 1);
}

/** When a session that did nothing but clear its context was last active: what came before must not return. 0 without one. */
function clearedInVain({ states }: Project, session: string | undefined, cut: Cut): number {
  const known = Object.values(states.at(recentSessions, null, cut).state.sessions);
  const idle = known.filter((one) => one.session !== session && one.prompts + one.toolCalls === 0);
  const newest = idle.sort((a, b) => b.lastAt - a.lastAt).slice(0, SLIGHT_MAX);
  const isCleared = ({ session }: SessionRecord): boolean =>
    states.at(context, session, cut).state.cleared !== null;
  return newest.find(isCleared)?.lastAt ?? 0;
}

function newestFirst(
  project: Project,
  isMeant: (one: SessionRecord) => boolean,
  cut: Cut,
  most: number,
): SessionRecord[] {
  for (const projection of [recentSessions, sessions]) {
    const { state } = project.states.at(projection, null, cut);
    const known = Object.values(state.sessions).sort((a, b) => b.lastAt - a.lastAt);
    const found = known.filter(isMeant).slice(0, most);
    if (found.length > 0 || known.length === state.count) return found;
  }
  return [];
}

/**
 * Everything to give back from these sessions, each thing once, without failures that passed in a later session.
 * @param all newest first
 * @param onDisk for the oldest, which has the files
 */
export function itemsOf(
  project: Project,
  all: readonly string[],
  cut: Cut,
  onDisk: readonly ChangedOnDisk[],
): Omit<Item, 'worth'>[] {
  const found = new Map<string, Omit<Item, 'worth'>>();
  const passed = new Passes();
  for (const [n, session] of all.entries()) {
    const { state } = project.states.at(context, session, cut);
    const known = project.states.at(evidence, session, cut).state;
    const isLast = n === all.length - 1;
    const still = n === 0 ? { state, known } : withoutPassed(state, known, passed);
    // What was said again was said last.
    const own = new Map(
      findItems(project, still.state, still.known, isLast ? onDisk : []).map((item) => [
        sameThing(item),
        item,
      ]),
    );
    const isAsked = [...found.values()].some(({ sure }) => sure);
    for (const [thing, { sure, ...item }] of own)
      if (!found.has(thing)) found.set(thing, sure && !isAsked ? { ...item, sure } : item);
    for (const { name, about, verdict, seq } of Object.values(known.outcomes))
      if (name === 'Bash' && verdict === 'passed') passed.add(about, seq, state.directory);
  }
  const items = [...found.values()];
  if (all.length === 1) return items;
  const rules = new Set(standing(items.filter(({ kind }) => kind === 'rule')));
  return items.filter((item) => item.kind !== 'rule' || rules.has(item));
}

function withoutPassed(
  state: ContextState,
  known: EvidenceState,
  passed: Passes,
): { state: ContextState; known: EvidenceState } {
  const { tools, directory } = state;
  // Whatever is older in the journal, it is of a later session.
  const isOpen = (name: string, about: string, hasFailed: boolean): boolean =>
    !(hasFailed && name === 'Bash' && passed.hasSince(about, -1, directory));
  const runs = tools.runs.filter((one) => isOpen(one.name, one.about, one.hasFailed));
  const outcomes = Object.entries(known.outcomes).filter(([, one]) =>
    isOpen(one.name, one.about, one.hasFailed),
  );
  return {
    state: { ...state, tools: { ...tools, runs } },
    known: { ...known, outcomes: Object.fromEntries(outcomes) },
  };
}
