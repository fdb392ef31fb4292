import type { FactEnriched, JournalEvent, ToolCalled } from '../events/types.ts';
import type { Project } from '../project/open.ts';
import { oneLine } from '../projections/safe-text.ts';
import type { Basis, Kind, SearchDocument } from './document.ts';
import { documentAt } from './documents.ts';
import type { Parts, RankedHit } from './hits.ts';
import { meets } from './meets.ts';
import type { Condition } from './query.ts';
import { matchesIn, snippetOf } from './snippet.ts';

export interface Match {
  /** The fact's. */
  id: string;
  kind: Kind;
  basis: Basis;
  seq: number;
  session: string | null;
  /** Milliseconds since 1970; null if unknown. */
  at: number | null;
  title: string;
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

/** Reads the events of hits, best first, and makes matches of those that are what was asked for. */
export class Reading {
  readonly matches: Match[] = [];
  /** Hits that were none: parts of a call that is a match already, and what cannot be read any more. */
  dropped = 0;
  readonly #seen = new Set<string>();
  readonly #project: Project;
  readonly #wanted: Wanted;

  constructor(project: Project, wanted: Wanted) {
    this.#project = project;
    this.#wanted = wanted;
  }

  take(hit: RankedHit): void {
    const { isPerSession } = this.#wanted;
    if (isPerSession && this.#seen.has(`session ${hit.session}`)) return;
    const match = this.#matchOf(hit);
    if (match === undefined) this.dropped += 1;
    else this.matches.push(match);
  }

  #matchOf(hit: RankedHit): Match | undefined {
    const { conditions, types, terms, leftBy } = this.#wanted;
    const found = documentAt(this.#project, hit.seq);
    if (found === undefined || types?.includes(found.event.type) === false) return undefined;
    if (!meets(found.document, conditions)) return undefined;
    const { event, document } = found;
    const facts = factsOf(event);
    const isSeen = facts.some((fact) => this.#seen.has(fact));
    for (const fact of [...facts, `session ${hit.session}`]) this.#seen.add(fact);
    if (isSeen) return undefined;
    const { kind, basis, seq, session, at, texts } = document;
    const by = leftBy(hit);
    return {
      id: idOf(event),
      kind,
      basis,
      seq,
      session,
      at: at === 0 ? null : at,
      title: titleOf(texts),
      snippet: bestSnippet(texts, terms),
      files: (texts.files ?? '').split('\n').filter(Boolean).map(oneLine),
      score: Math.round(hit.score * DIGITS) / DIGITS,
      standing: by === undefined ? 'in force' : `abandoned by @${by}`,
      parts: hit.parts,
    };
  }
}

/** What a second source tells of a fact is one match with it, and so are a call and its outcome. */
function factsOf(event: JournalEvent): string[] {
  const { toolUseId } = event.data as Partial<ToolCalled>;
  const call = toolUseId === undefined ? [] : [`call ${event.session} ${toolUseId}`];
  return [`fact ${idOf(event)}`, ...call];
}

const idOf = ({ id, type, data }: JournalEvent): string =>
  type === 'fact.enriched' ? (data as FactEnriched).of : id;

/** Its own, else the beginning of what was said; of an outcome the call and what came of it. */
function titleOf({ title, body = '' }: SearchDocument['texts']): string {
  const lines = (title || body.trimStart().split('\n', 1)[0]!).split('\n').map(oneLine);
  return snippetOf(lines.filter(Boolean).join(' → '), new Set(), TITLE_CHARS);
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

/** What a line says of a match: what was said, else its title, with the place that matches if that says more. */
export function lineOf(
  { kind, title, snippet, files }: Match,
  terms: ReadonlySet<string>,
  chars: number,
): string {
  if (SAID.includes(kind)) return snippetOf(snippet, terms, chars);
  const inTitle = matching(title, terms);
  // The end of a long path says most.
  const name = title === files[0] ? title.replace(/^.*[/\\]([^/\\]+[/\\][^/\\]+)$/, '…/$1') : title;
  const isMore = [...matching(snippet, terms)].some((term) => !inTitle.has(term));
  if (!isMore) return snippetOf(name, terms, chars);
  // A long title leaves half of the room to the place.
  const room = Math.max(chars - snippet.length - BETWEEN.length, chars / 2);
  const head = snippetOf(name, terms, Math.floor(room));
  return `${head}${BETWEEN}${snippetOf(snippet, terms, chars - head.length - BETWEEN.length)}`;
}

const matching = (text: string, terms: ReadonlySet<string>): Set<string> =>
  new Set(matchesIn(text, terms).flatMap((one) => one.terms));
