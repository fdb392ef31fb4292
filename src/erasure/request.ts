import type { RedactionOptions } from '../capture/redaction/index.ts';
import type { Project } from '../project/open.ts';
import type { Finder } from './finder.ts';
import { finderOf, meet, type Wanted } from './pattern.ts';
import { meetRule, optionsOfRule, ruleFinder } from './rule-finder.ts';
import type { Chosen } from './search-seqs.ts';
import { type Said, saidIn } from './search-text.ts';
import type { Searched } from './searched.ts';

/** What somebody wants erased. */
export type Request =
  | ({ by: 'event' } & Chosen)
  | { by: 'pattern'; wanted: Wanted }
  | { by: 'rule'; rule: string; redaction: RedactionOptions };

/** Undefined for chosen events. @throws as `meet` and `meetRule` */
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
