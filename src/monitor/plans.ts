import path from 'node:path';
import { hasShape } from '../events/shape.ts';
import type { ShardsPlanned } from '../events/types.ts';
import { randomHex } from '../platform/random.ts';
import { sha256 } from '../platform/sha256.ts';
import type { Project } from '../project/open.ts';
import { readEvents } from '../projections/events.ts';
import { recentSessions } from '../projections/folds/sessions.ts';
import { taskSizes } from '../projections/folds/task-sizes.ts';
import { isDone } from '../projections/folds/tasks.ts';
import { specIn } from './estimate.ts';
import type { Shard } from './shards.ts';
import { itemsOf } from './size.ts';

export type PlanStatus = ReturnType<typeof planStatus>[number];

const PLANS_MAX = 20;
const ITEM_CHARS = 200;
const TITLE_CHARS = 200;
const SESSIONS_MAX = 20;

/** As the journal has it: without secrets, so that the same words are known again. */
const kept = ({ redact }: Project, words: string): string =>
  redact(words.replace(/\s+/g, ' ').trim().slice(0, ITEM_CHARS));
const digestOf = (text: string): string => sha256(Buffer.from(text)).toString('hex');

/** A text that was cut. */
export interface Cut {
  /** Absolute. */
  file: string;
  text: string;
  shards: readonly Shard[];
  /** Whose sub-issues the shards become. */
  issue: string | undefined;
}

/** Keeps a plan; the same one again is the one that is known. @returns its name */
export function keepPlan(project: Project, { file, text, shards, issue }: Cut): string {
  const { recorder, ports, dir } = project;
  const source = path.relative(dir, file).split(path.sep).join('/');
  const data = {
    source,
    sha256: digestOf(text),
    shards: shards.map(({ title, items, tokens }) => ({
      title: project.redact(title.slice(0, TITLE_CHARS)),
      items: items.map((item) => kept(project, item.title)),
      tokens,
    })),
  };
  const known = plansOf(project).find((one) => wordsOf(one.data) === wordsOf(data))?.data;
  if (known !== undefined && [undefined, known.issue].includes(issue)) return known.plan;
  const isFree = known !== undefined && known.issue === undefined;
  const plan = isFree ? known.plan : randomHex(ports.random, 8);
  const planned = { plan, ...data, ...(issue !== undefined && { issue }) };
  recorder.append([recorder.ownEvent('shards.planned', null, planned, 'cli')]);
  return plan;
}

/** The parts of a text; what they are thought to take changes with what is learnt. */
const wordsOf = ({ source, sha256: of, shards }: Omit<ShardsPlanned, 'plan' | 'issue'>): string =>
  JSON.stringify([source, of, shards.map(({ title, items }) => [title, items])]);

/** The newest of each source, and those that are sub-issues, newest first. */
function plansOf({ reader, ports }: Project): { at: number; data: ShardsPlanned }[] {
  const known = new Map<string, { at: number; data: ShardsPlanned }>();
  for (const event of readEvents(reader, ports.xxh64, { types: ['shards.planned'] })) {
    if (!hasShape(event)) continue;
    const data = event.data as ShardsPlanned;
    const { plan, source, issue } = data;
    if (issue === undefined || known.get(source)?.data.plan === plan) known.delete(source);
    known.set(issue === undefined ? source : plan, { at: event.at ?? 0, data });
  }
  return [...known.values()].reverse();
}

/** An item is done if its source says so, or a todo of its words was completed. */
export function planStatus(project: Project) {
  const { state } = project.states.at(recentSessions, null);
  const todos = Object.keys(state.sessions)
    .slice(-SESSIONS_MAX)
    .flatMap((session) => Object.values(project.states.at(taskSizes, session).state.tasks.tasks))
    .flatMap((todo) => (isDone(todo) ? [kept(project, todo.subject)] : []));
  return plansOf(project)
    .slice(0, PLANS_MAX)
    .map(({ at, data: { plan, source, issue, sha256: before, shards } }) => {
      const text = specIn(project, source);
      const ticked = itemsOf(text ?? '').filter((one) => one.isDone);
      const done = new Set([...todos, ...ticked.map(({ title }) => kept(project, title))]);
      return {
        ...{ plan, source, at },
        ...(issue !== undefined && { issue }),
        // It is another text now, or is gone.
        isChanged: text === undefined || digestOf(text) !== before,
        shards: shards.map(({ title, tokens, items }) => ({
          ...{ title, tokens, items },
          done: items.filter((item) => done.has(item)).length,
        })),
      };
    });
}
