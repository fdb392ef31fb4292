import type { RedactionOptions } from '../capture/redaction/index.ts';
import { decodeEnvelope } from '../journal/format/envelope.ts';
import type { Project } from '../project/open.ts';
import { contentOf } from './content.ts';
import type { Finder } from './finder.ts';
import { finderOf, isInBytes, meet, type Wanted } from './pattern.ts';
import { fateOf, NO_BLOBS } from './redact-event.ts';
import { isInViews, meetRule, optionsOfRule, ruleFinder } from './rule-finder.ts';
import type { Chosen } from './search-seqs.ts';
import { type Said, saidIn } from './search-text.ts';
import type { Searched } from './searched.ts';

/** What somebody wants to be gone. */
export type Request =
  | ({ by: 'event' } & Chosen)
  | { by: 'pattern'; wanted: Wanted }
  | { by: 'rule'; rule: string; redaction: RedactionOptions };

/** Undefined for events, which are not looked for by what they say. @throws as `meet` and `meetRule` */
export function finderFor(
  project: Project,
  request: Request,
  searched: Searched,
): Finder | undefined {
  if (request.by === 'event') return undefined;
  const before = searched.matches.size;
  const isMore = () => searched.matches.size > before;
  if (request.by === 'rule') {
    const options = optionsOfRule(request.rule, request.redaction);
    meetRule(options, saidIn(project, searched), searched.matches);
    return searched.finder(() => ruleFinder(options, searched.matches), isMore());
  }
  const { wanted } = request;
  if (wanted.pattern !== undefined)
    meet(wanted.pattern, textsOf(saidIn(project, searched)), searched.matches);
  return searched.finder(() => finderOf(wanted, searched.matches), isMore());
}

function* textsOf(said: Iterable<Said>): Generator<string> {
  for (const { texts } of said) yield* texts;
}

/** The same for bytes that a finder was not made of: what a pattern or a rule would find in them is not known to it. */
export const isLike = (request: Request, finder: Finder, bytes: Buffer): boolean =>
  finder.isInFile(bytes) || isInBytesFor(request, bytes);

function isInBytesFor(request: Request, bytes: Buffer): boolean {
  if (request.by === 'event') return false;
  if (request.by === 'pattern') return isInBytes(request.wanted, bytes);
  return isInViews(bytes.toString('utf8'), optionsOfRule(request.rule, request.redaction));
}

/** The same for the payload of an event that is not in the journal. */
export function isInEvent(request: Request, finder: Finder, payload: Buffer): boolean {
  if (fateOf(payload, finder, NO_BLOBS) !== 'stays') return true;
  if (request.by === 'pattern' && request.wanted.pattern === undefined) return false;
  for (const text of contentOf(decodeEnvelope(payload))) {
    if (isInBytesFor(request, Buffer.from(text))) return true;
  }
  return false;
}
