import type { RedactionOptions } from '../capture/redaction/index.ts';
import { decodeEnvelope } from '../journal/envelope.ts';
import type { Project } from '../project/open.ts';
import { contentOf } from './content.ts';
import type { Finder } from './finder.ts';
import { finderOf, isInBytes, meet, type Wanted } from './pattern.ts';
import { fateOf, NO_BLOBS } from './redact-event.ts';
import { ruleFinder } from './rule-finder.ts';
import type { Chosen } from './search-seqs.ts';
import { textsOf } from './search-text.ts';
import type { Searched } from './searched.ts';

/** What somebody wants to be gone. */
export type Request =
  | ({ by: 'event' } & Chosen)
  | { by: 'pattern'; wanted: Wanted }
  | { by: 'rule'; rule: string; redaction: RedactionOptions };

/** Undefined for events, which are not looked for by what they say. @throws as `finderOf` and `ruleFinder` */
export function finderFor(
  project: Project,
  request: Request,
  searched: Searched,
): Finder | undefined {
  if (request.by === 'event') return undefined;
  if (request.by === 'rule') {
    const { rule, redaction } = request;
    return searched.finder(() => ruleFinder(rule, redaction), false);
  }
  const { wanted } = request;
  const before = searched.matches.size;
  if (wanted.pattern !== undefined)
    meet(wanted.pattern, textsOf(project, searched), searched.matches);
  const isMore = searched.matches.size > before;
  return searched.finder(() => finderOf(wanted, searched.matches), isMore);
}

/** The same for bytes that a finder was not made of: what a pattern would find in them is not known to it. */
export const isLike = (request: Request, finder: Finder, bytes: Buffer): boolean =>
  finder.isIn(bytes) || (request.by === 'pattern' && isInBytes(request.wanted, bytes));

/** The same for the payload of an event that is not in the journal. */
export function isInEvent(request: Request, finder: Finder, payload: Buffer): boolean {
  if (fateOf(payload, finder, NO_BLOBS) !== 'stays') return true;
  if (request.by !== 'pattern' || request.wanted.pattern === undefined) return false;
  for (const text of contentOf(decodeEnvelope(payload))) {
    if (isInBytes(request.wanted, Buffer.from(text))) return true;
  }
  return false;
}
