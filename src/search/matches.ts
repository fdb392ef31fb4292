import type { Project } from '../project/open.ts';
import { oneLine } from '../projections/safe-text.ts';
import type { Basis, Kind, SearchDocument } from './document.ts';
import { documentAt, outcomeAfter } from './documents.ts';
import type { Had } from './had.ts';
import type { Parts, RankedHit } from './hits.ts';
import { meets } from './meets.ts';
import type { Condition } from './query.ts';
import { matchesIn, snippetOf } from './snippet.ts';

interface Line {
  tool: string;
  about: string;
  /** What came of it. */
  told: string;
}

export interface Match {
  /** The fact's: of a call and its outcome, and of what a second source adds. */
  id: string;
  kind: Kind;
  basis: Basis;
  /** The fact's, too. */
  seq: number;
  session: string | null;
  /** Milliseconds since 1970; null if unknown. */
  at: number | null;
  title: string;
  /** The title's parts. */
  line: Line;
  snippet: string;
  files: string[];
  score: number;
  /** `in force`, or `abandoned by @5200`. */
  standing: string;
  /** What the score is made of. */
  parts: Parts;
}

interface Wanted {
  conditions: readonly Condition[];
  types: readonly string[] | undefined;
  /** Only the best of each session. */
  isPerSession: boolean;
  terms: ReadonlySet<string>;
  /** The seq of the rewind that left it. */
  leftBy(hit: RankedHit): number | undefined;
}

const TITLE_CHARS = 160;
const SNIPPET_CHARS = 240;
const DIGITS = 1e4;
const TOLD = ' → ';

/** Reads the events of hits, best first, and makes matches of those that are what was asked for. */
export class Reading {
  readonly matches: Match[] = [];
  readonly #facts = new Set<number>();
  readonly #sessions = new Set<string | null>();
  readonly #project: Project;
  readonly #wanted: Wanted;

  constructor(project: Project, wanted: Wanted) {
    this.#project = project;
    this.#wanted = wanted;
  }

  take(hit: RankedHit): void {
    if (this.#facts.has(hit.fact)) return;
    if (this.#wanted.isPerSession && this.#sessions.has(hit.session)) return;
    const match = this.#matchOf(hit);
    if (match === undefined) return;
    this.#facts.add(hit.fact);
    this.#sessions.add(hit.session);
    this.matches.push(match);
  }

  #matchOf(hit: RankedHit): Match | undefined {
    const { conditions, types, terms, leftBy } = this.#wanted;
    const found = documentAt(this.#project, hit.seq, hit.fact);
    if (found === undefined || types?.includes(found.event.type) === false) return undefined;
    const { id, document } = found;
    if (!meets(document, conditions)) return undefined;
    const { kind, basis, session, at, texts } = document;
    const by = leftBy(hit);
    const line = titleOf(document);
    return {
      id,
      kind,
      basis,
      seq: hit.fact,
      session,
      at: at === 0 ? null : at,
      title: titleText(line),
      line,
      snippet: bestSnippet(texts, terms),
      files: (texts.files ?? '').split('\n').filter(Boolean).map(oneLine),
      score: Math.round(hit.score * DIGITS) / DIGITS,
      standing: by === undefined ? 'in force' : `abandoned by @${by}`,
      parts: hit.parts,
    };
  }
}

/** Of a call its tool; else the beginning of what was said; last what came of it. */
function titleOf({ kind, texts }: SearchDocument): Line {
  const { title, names = '', body = '' } = texts;
  const [about = '', told = ''] = (title || body.trimStart()).split('\n', title ? 2 : 1);
  return {
    tool: kind === 'call' ? oneLine(names) : '',
    about: snippetOf(about, new Set(), TITLE_CHARS),
    told: snippetOf(told, new Set(), TITLE_CHARS),
  };
}

const titleText = ({ tool, about, told }: Line): string =>
  `${[tool, about].filter(Boolean).join(' ')}${told && `${TOLD}${told}`}`;

/** With what came of a call, where only the call was found. */
export function withOutcome(project: Project, match: Match, knows: Had): Match {
  if (match.kind !== 'call' || match.line.told !== '') return match;
  const outcome = outcomeAfter(project, match.seq);
  if (outcome?.kind !== 'call' || !knows(outcome.seq, outcome.session, outcome.at)) return match;
  const line = titleOf(outcome);
  return { ...match, line, title: titleText(line) };
}

/** Of the text or the output, whichever has more of what was looked for. */
function bestSnippet(texts: SearchDocument['texts'], terms: ReadonlySet<string>): string {
  const [best = ''] = [texts.body, texts.output]
    .filter((text) => text !== undefined && text !== '')
    .map((text) => snippetOf(text!, terms, SNIPPET_CHARS))
    .map((text) => ({ text, marks: matching(text, terms).size }))
    .sort((a, b) => b.marks - a.marks)
    .map(({ text }) => text);
  return best;
}

const SAID: readonly Kind[] = ['prompt', 'answer', 'task', 'summary'];
const BETWEEN = ' · ';
/** Room for a title and a place. */
const BOTH_CHARS = 70;

/**
 * What a line says of a match: what was said, else its title, with the place that matches if that says more. In little room only
 * one of them, whichever has more of what was looked for.
 */
export function lineOf(
  { kind, line, title, snippet, files }: Match,
  terms: ReadonlySet<string>,
  chars: number,
): string {
  if (SAID.includes(kind)) return snippetOf(snippet, terms, chars);
  const [inTitle, inPlace] = [matching(title, terms), matching(snippet, terms)];
  // The end of a long path says most.
  const isPath = line.about === files[0];
  const short = isPath ? line.about.replace(/^.*[/\\]([^/\\]+[/\\][^/\\]+)$/, '…/$1') : line.about;
  const shown = { ...line, about: short };
  const isMore = kind === 'edit' || [...inPlace].some((term) => !inTitle.has(term));
  if (!isMore || snippet === '') return fitted(shown, terms, chars);
  const rest = chars - titleText(shown).length - BETWEEN.length;
  if (kind !== 'edit' && chars < BOTH_CHARS && rest < chars / 2)
    return inPlace.size > inTitle.size
      ? snippetOf(snippet, terms, chars)
      : fitted(shown, terms, chars);
  // A long title leaves half of the room to the place.
  const head = fitted(shown, terms, Math.max(chars - snippet.length - BETWEEN.length, chars >> 1));
  return `${head}${BETWEEN}${snippetOf(snippet, terms, chars - head.length - BETWEEN.length)}`;
}

/** The command is cut, not its tool; what came of it may have half of the room. */
function fitted({ tool, about, told }: Line, terms: ReadonlySet<string>, chars: number): string {
  const start = tool && about ? `${tool} ` : tool;
  const room = chars - start.length;
  const end = told && `${TOLD}${told}`;
  const head = snippetOf(about, terms, Math.max(room - end.length, end === '' ? room : room >> 1));
  return snippetOf(`${start}${head}${end}`, new Set(), chars);
}

const matching = (text: string, terms: ReadonlySet<string>): Set<string> =>
  new Set(matchesIn(text, terms).flatMap((one) => one.terms));
