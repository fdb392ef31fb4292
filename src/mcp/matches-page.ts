import type { Project } from '../project/open.ts';
import { ageOf } from '../recall/age.ts';
import { type Asked, search } from '../search/find.ts';
import { lineOf, type Match } from '../search/matches.ts';
import { nearWords } from '../search/near.ts';

/** What of a line is about the match: about 35 tokens. */
const ABOUT_CHARS = 130;

/** A line each, the best first: `@4110 3d prompt …switching to Postgres because…`. */
export function matchesPage(project: Project, asked: Asked) {
  const found = search(project, asked);
  const now = project.ports.clock.now();
  const lines = found.matches.map((match) => lineFor(match, found.terms, now));
  const near = lines.length > 0 ? [] : nearWords(project, found.query, asked.point?.cut.upto);
  const { of, isMore, nowhere } = found;
  return { matches: lines, of, isMore, near, nowhere };
}

function lineFor(match: Match, terms: ReadonlySet<string>, now: number): string {
  const { seq, at, kind, standing } = match;
  const about = lineOf(match, terms, ABOUT_CHARS);
  const left = standing === 'in force' ? '' : `(${standing})`;
  return [`@${seq}`, ageOf(at ?? 0, now), kind, left, about].filter(Boolean).join(' ');
}
