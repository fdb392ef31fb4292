import type { Project } from '../project/open.ts';
import { isStopTerm } from './analyze.ts';
import { timeNamedIn } from './dates.ts';
import type { Kind } from './document.ts';
import { hadBy, type PointOfPast } from './had.ts';
import type { Factors, RankedHit } from './hits.ts';
import type { IndexFile } from './index-read.ts';
import { indexOf } from './keep-up.ts';
import { type Match, Reading, withOutcome } from './matches.ts';
import { newest } from './newest.ts';
import { conditionOf, type ParsedQuery, parseQuery, refuseNothing } from './query.ts';
import { rank } from './rank.ts';
import { standingOf } from './standing.ts';
import { ABANDONED, OTHER_BRANCH } from './weights.ts';

export interface Asked {
  /** As people type it. */
  query: string;
  /** Like `kind:` in the query. */
  kinds?: readonly Kind[];
  /** Types of events. */
  types?: readonly string[];
  /** Like `path:` in the query. */
  file?: string;
  branch?: string;
  session?: string;
  /** An event that is not looked for. */
  without?: number | undefined;
  /** Only events behind this seq. */
  after?: number;
  /** Milliseconds since 1970, inclusive. */
  since?: number;
  until?: number;
  /** Now, if it is left out. */
  point?: PointOfPast;
  /** Only the best match of each session. */
  isPerSession?: boolean;
  /** Of the best ones, how many are passed over. */
  skip?: number;
  limit: number;
}

export interface Found {
  matches: Match[];
  /** How many there are in all. */
  of: number;
  isMore: boolean;
  /** Not all candidates were looked through for the exact words. */
  isCut: boolean;
  /** How many were searched. */
  events: number;
  /** The score of a document that says nothing else than all that was asked for, often. */
  possible: number;
  ms: number;
  query: ParsedQuery;
  /** By which matches were found. */
  terms: ReadonlySet<string>;
  /** Names in the query of which only parts are anywhere. */
  nowhere: readonly string[];
}

/** Candidates whose texts are read to see whether they meet the conditions. */
const CANDIDATES_MAX = 500;
/** Hits among which each session's best is looked for. */
const OF_SESSIONS_MAX = 5_000;

/**
 * Searches what the index holds; `SearchIndex.steps` brings it up to date.
 * @throws Ben10Error USAGE for an unknown kind, or where nothing is asked for
 */
export function search(project: Project, asked: Asked): Found {
  const start = performance.now();
  const { limit, skip = 0, isPerSession = false, file, types } = asked;
  const query = parseQuery(asked.query);
  const kinds = asked.kinds ?? query.kinds;
  if (file === undefined && asked.kinds === undefined) refuseNothing(asked.query, query);
  const ofFile = file === undefined ? [] : [conditionOf(file, { isPath: true })];
  const conditions = [...query.conditions, ...ofFile];
  const words = [...query.words.values()].flat();
  const wanted = conditions.filter(({ isNot }) => !isNot);
  // The index does not know in which order words stand, and in which field.
  const isRead = conditions.length > 0 || types !== undefined;
  const files = indexOf(project).files();
  const view = viewOf(project, files, asked, query.kinds);
  const isListed = words.length + wanted.length === 0 && kinds !== undefined;
  const ranked = (isListed ? newest : rank)(files, {
    should: words,
    shares: sharesIn(query.words),
    must: wanted.map(({ terms }) => terms),
    // Where something stands is no answer to what is asked; a phrase is one.
    some: wanted.length > 0 && wanted.every(({ isPath }) => isPath) ? tellingOf(words) : [],
    not: query.not,
    isNamed: timeNamedIn(asked.query),
    ...view,
    // A call, its outcome and what other sources add to both are one match.
    limit: isPerSession ? OF_SESSIONS_MAX : isRead ? CANDIDATES_MAX : 4 * (skip + limit + 1),
  });
  // Common words are neither marked nor aimed at.
  const terms = new Set(tellingOf([...words, ...wanted.flatMap((one) => one.terms)]));
  const { leftBy } = view;
  const reading = new Reading(project, { conditions, types, isPerSession, terms, leftBy });
  const isEnough = () => !isRead && reading.matches.length > skip + limit;
  for (const hit of ranked.hits) if (!isEnough()) reading.take(hit);
  const { matches } = reading;
  return {
    matches: matches
      .slice(skip, skip + limit)
      .map((match) => withOutcome(project, match, view.knows)),
    of: isRead || isPerSession ? matches.length : ranked.of,
    isMore: matches.length > skip + limit,
    isCut: isRead && ranked.of > ranked.hits.length,
    events: ranked.searched,
    possible: ranked.possible,
    nowhere: nowhereIn(files, query.words, asked.point?.cut.upto),
    ms: performance.now() - start,
    query,
    terms,
  };
}

/** Common words alone are looked for as they are. */
function tellingOf(terms: readonly string[]): readonly string[] {
  const telling = terms.filter((term) => !isStopTerm(term));
  return telling.length > 0 ? telling : terms;
}

/** The parts of a name count together as much as one word: `min_length` is little of `maxLength`. */
function sharesIn(words: ParsedQuery['words']): Map<string, number> {
  const shares = new Map<string, number>();
  const add = (term: string, share: number) =>
    shares.set(term, Math.max(share, shares.get(term) ?? 0));
  for (const [whole, ...parts] of words.values()) {
    if (whole !== undefined) add(whole, 1);
    for (const part of parts) add(part, 1 / parts.length);
  }
  return shares;
}

function nowhereIn(
  files: readonly IndexFile[],
  words: ParsedQuery['words'],
  upto = Number.POSITIVE_INFINITY,
): string[] {
  const isIn = (term: string) =>
    files.some((file) => (file.postings(term)?.countBelow(file.rowsUpto(upto)) ?? 0) > 0);
  return [...words].flatMap(([word, terms]) =>
    terms.length > 1 && !isIn(terms[0]!) ? [word] : [],
  );
}

type Check = (file: IndexFile, row: number) => boolean;

/** What of the index is searched, and by what else than words it is ranked: all as of the point. */
function viewOf(
  project: Project,
  files: readonly IndexFile[],
  { kinds, branch, session, without, after, since, until, point }: Asked,
  queried: ReadonlySet<Kind> | undefined,
) {
  const { upto, before } = point?.cut ?? {};
  const had = point && hadBy(project, point);
  const standing = standingOf(files, ({ seq, session, at }) => had?.(seq, session, at) !== false);
  const leftBy = ({ file, row }: Pick<RankedHit, 'file' | 'row'>) =>
    standing.abandoned(file.sessionOf(row), file.atOf(row));
  const branchAt = (file: IndexFile, row: number) =>
    standing.branchOf(file.sessionOf(row), file.seqOf(row));
  const hasHad: Check = (file, row) =>
    had?.(file.seqOf(row), file.sessionOf(row), file.atOf(row)) !== false;
  const newest = newestOf(files, hasHad, upto);
  const own = newest && branchAt(newest.file, newest.row);
  const checks: (Check | undefined)[] = [
    kinds && ((file, row) => kinds.includes(file.kindOf(row))),
    queried && ((file, row) => queried.has(file.kindOf(row))),
    session === undefined ? undefined : (file, row) => file.sessionOf(row) === session,
    without === undefined ? undefined : (file, row) => file.factOf(row) !== without,
    after === undefined ? undefined : (file, row) => file.factOf(row) > after,
    since === undefined ? undefined : (file, row) => file.atOf(row) >= since,
    until === undefined ? undefined : (file, row) => file.atOf(row) <= until,
    before && hasHad,
    branch === undefined ? undefined : (file, row) => branchAt(file, row) === branch,
  ];
  const all = checks.filter((check) => check !== undefined);
  return {
    leftBy,
    knows: (seq: number, ...rest: [session: string | null, at: number]) =>
      seq <= (upto ?? Number.POSITIVE_INFINITY) && had?.(seq, ...rest) !== false,
    ...(upto !== undefined && { upto }),
    ...(all.length > 0 && {
      accepts: (file: IndexFile, row: number) => all.every((check) => check(file, row)),
    }),
    standingOf(file: IndexFile, row: number): Pick<Factors, 'standing' | 'branch'> {
      const isOther = own !== undefined && branchAt(file, row) !== own;
      return {
        standing: leftBy({ file, row }) === undefined ? 1 : ABANDONED,
        branch: isOther ? OTHER_BRANCH : 1,
      };
    },
  };
}

/** The newest document as of the point. */
function newestOf(
  files: readonly IndexFile[],
  hasHad: Check,
  upto = Number.POSITIVE_INFINITY,
): { file: IndexFile; row: number } | undefined {
  for (const file of files.toReversed())
    for (let row = file.rowsUpto(upto) - 1; row >= 0; row -= 1)
      if (hasHad(file, row)) return { file, row };
  return undefined;
}
