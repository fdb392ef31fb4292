import type { Found } from './find.ts';
import type { Match } from './matches.ts';

/** A match, and of several projects the one that it is in. */
export type MatchIn = Match & { project?: string };

export interface FoundIn extends Omit<Found, 'matches'> {
  matches: MatchIn[];
}

/**
 * The best of several projects. A word that is rare in one project and frequent in another counts differently, so each score is taken
 * as a share of what a document of its own project could have had.
 */
export function merged(all: ReadonlyMap<string, Found>, limit: number): FoundIn {
  const [first, ...others] = all.values();
  if (first === undefined) throw new RangeError('no project was searched');
  if (others.length === 0) return first;
  const matches = [...all].flatMap(([project, found]) =>
    found.matches.map((match) => ({ ...match, project, score: match.score / found.possible })),
  );
  matches.sort((a, b) => b.score - a.score || (b.at ?? 0) - (a.at ?? 0));
  const sum = (of: (found: Found) => number) => [...all.values()].reduce((n, it) => n + of(it), 0);
  return {
    ...first,
    matches: matches.slice(0, limit),
    of: sum(({ of }) => of),
    events: sum(({ events }) => events),
    ms: sum(({ ms }) => ms),
    nowhere: first.nowhere.filter((word) => others.every(({ nowhere }) => nowhere.includes(word))),
    isCut: [...all.values()].some(({ isCut }) => isCut),
  };
}
