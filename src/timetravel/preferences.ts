import { listInbox } from '../journal/append/inbox.ts';
import { Ben10Error } from '../platform/errors.ts';
import type { Project } from '../project/open.ts';
import { context } from '../projections/folds/context.ts';
import {
  allPreferences,
  type PreferenceKind,
  statementWords,
} from '../projections/folds/preferences.ts';
import { standing } from '../projections/folds/revocations.ts';
import type { SaveOptions } from './saves.ts';
import { findSession, sessionsAt } from './sessions.ts';
import { shown } from './text.ts';

/** A preference of the user's, over all sessions that were looked at. */
export interface KnownPreference {
  key: string;
  kind: PreferenceKind;
  /** In the words that were used last. */
  text: string;
  /** How often it was said. */
  count: number;
  /** The newest events that it was learnt from, rising. */
  seqs: number[];
  /** When it was said last, milliseconds since the epoch. */
  at: number;
  /** The sessions that it was said in. */
  sessions: string[];
}

/** The sessions that were active last; what was asked for before is hardly meant any more. */
export const SESSIONS_LOOKED_AT = 50;
const SEQS_MAX = 5;

/**
 * What the user keeps asking for: rules, tools, corrections; of each kind what was said last stands last.
 * @throws Ben10Error POINT_NOT_FOUND for an unknown session
 */
export function preferences(
  project: Project,
  options: { session?: string | undefined } = {},
): KnownPreference[] {
  const { session: asked } = options;
  const sessions =
    asked === undefined
      ? sessionsAt(project)
          .map(({ session }) => session)
          .slice(0, SESSIONS_LOOKED_AT)
      : [findSession(project, asked)];
  const known = new Map<string, KnownPreference>();
  for (const session of sessions.reverse()) {
    const { state } = project.states.at(context, session);
    for (const { key, kind, text, count, seqs, at } of allPreferences(state.preferences)) {
      const words = `${kind} ${statementWords(text)}`;
      const before = known.get(words);
      const isNewer = before === undefined || at >= before.at;
      known.set(words, {
        key: isNewer ? key : before.key,
        kind,
        text: isNewer ? text : before.text,
        count: count + (before?.count ?? 0),
        seqs: [...(before?.seqs ?? []), ...seqs].sort((a, b) => a - b).slice(-SEQS_MAX),
        at: Math.max(at, before?.at ?? 0),
        sessions: [...(before?.sessions ?? []), session],
      });
    }
  }
  const order = { rule: 0, tool: 1, correction: 2 };
  const all = [...known.values()].map((one) => ({ ...one, seq: one.seqs.at(-1) ?? 0 }));
  const rules = all.filter(({ kind }) => kind !== 'correction');
  const isStanding = new Set(standing(rules).map(({ key }) => key));
  const isMeant = ({ key, kind }: KnownPreference) => kind === 'correction' || isStanding.has(key);
  return [...known.values()]
    .filter(isMeant)
    .sort((a, b) => order[a.kind] - order[b.kind] || a.at - b.at);
}

/**
 * Takes back something that was taken for a preference, in every session that has it: it is neither listed, given back nor
 * restored any more, but at points before this. Said again, it counts again. Durable when it returns.
 * @param given the key, or the event of one that states nothing else
 * @throws Ben10Error USAGE when there is none of that key, or several; FS_WRITE_ERROR, FS_PERMISSION_DENIED
 */
export function retract(
  project: Project,
  given: string,
  source: NonNullable<SaveOptions['source']> = 'cli',
): KnownPreference {
  if (listInbox(project.ports, project.layout).length > 0) project.writer.drain();
  const found = theOne(preferences(project), given);
  const { recorder, ports } = project;
  const at = ports.clock.now();
  const words = statementWords(found.text);
  const own = found.sessions.flatMap((session) =>
    allPreferences(project.states.at(context, session).state.preferences)
      .filter(({ kind, text }) => kind === found.kind && statementWords(text) === words)
      .map(({ key, text }) => ({ session, data: { key, text } })),
  );
  recorder.append(
    own.map((one) =>
      recorder.event({ type: 'preference.retracted', fact: null, agent: null, at, ...one }, source),
    ),
  );
  return found;
}

function theOne(all: readonly KnownPreference[], given: string): KnownPreference {
  const wanted = given.replace(/^@/, '');
  const matching = all.filter(({ key }) => key === wanted || key.startsWith(`${wanted}.`));
  const [first] = matching;
  if (first !== undefined && matching.length === 1) return first;
  const what = `"${shown(given, 60)}"`;
  const message =
    matching.length === 0
      ? `there is no preference with the key ${what}`
      : `the event ${what} states ${matching.length} preferences`;
  throw new Ben10Error('USAGE', message, { next: 'See the keys with: ben10 preferences list' });
}
