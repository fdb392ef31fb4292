import { Ben10Error } from '../platform/errors.ts';
import type { Project } from '../project/open.ts';
import { context } from '../projections/folds/context.ts';
import {
  allPreferences,
  type PreferenceKind,
  statementWords,
} from '../projections/folds/preferences.ts';
import { standing } from '../projections/folds/revocations.ts';
import type { Cut } from '../projections/gather.ts';
import { drainInbox } from './append.ts';
import type { SaveOptions } from './saves.ts';
import { findSession, sessionsAt } from './sessions.ts';
import { shown } from './text.ts';

export interface KnownPreference {
  key: string;
  kind: PreferenceKind;
  /** Its newest wording. */
  text: string;
  count: number;
  /** Newest events that stated it, rising. */
  seqs: number[];
  /** When last stated, milliseconds since the epoch. */
  at: number;
  sessions: string[];
}

/** Older sessions' wishes hardly hold any more. */
export const SESSIONS_LOOKED_AT = 50;
const SEQS_MAX = 5;

/** What the user keeps asking for; within each kind the last stated comes last. @throws Ben10Error POINT_NOT_FOUND */
export function preferences(
  project: Project,
  options: { session?: string | undefined; cut?: Cut | undefined } = {},
): KnownPreference[] {
  const { session: asked, cut } = options;
  const sessions =
    asked === undefined
      ? sessionsAt(project, cut)
          .map(({ session }) => session)
          .slice(0, SESSIONS_LOOKED_AT)
      : [findSession(project, asked)];
  const known = new Map<string, KnownPreference>();
  for (const session of sessions.reverse()) {
    const { state } = project.states.at(context, session, cut);
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
 * Retracts a misread preference in every session that has it, unless it is stated again. Earlier points keep it. Durable on return.
 * @param given its key, or an event that states nothing else
 * @throws Ben10Error USAGE when there is none or several; FS_WRITE_ERROR, FS_PERMISSION_DENIED
 */
export function retract(
  project: Project,
  given: string,
  source: NonNullable<SaveOptions['source']> = 'cli',
): KnownPreference {
  drainInbox(project);
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
      : `event ${what} states ${matching.length} preferences`;
  throw new Ben10Error('USAGE', message, { next: 'List the keys with: ben10 preferences list' });
}
