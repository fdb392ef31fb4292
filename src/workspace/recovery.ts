import type { WorkspaceSettings } from '../platform/config/keys.ts';
import type { Project } from '../project/open.ts';
import { context as sessionContext } from '../projections/folds/context.ts';
import { workspace } from '../projections/folds/workspace.ts';
import type { Cut } from '../projections/gather.ts';
import { contextAt } from './at-point.ts';
import { framed } from './frame.ts';
import { minimal } from './layouts/minimal.ts';
import { renderLayout } from './layouts/section.ts';
import type { Place } from './place.ts';

/** Of what may be given back: the rest is for what was said and done. */
const SHARE_MAX = 1 / 6;
/** The newest: what was given back of the work names the others. */
const FILES_MAX = 8;

export interface Recovering {
  place: Place;
  session: string;
  cut?: Cut;
  /** Where what the session held before its compaction ends. */
  held?: Cut | undefined;
  /** What may be given back at one time, characters: where that is little, what was said is worth more. */
  maxChars: number;
}

/**
 * What a session that was compacted gets of its development context: the smallest level, from the journal alone. Empty when
 * nothing is known.
 */
export function recoverySection(
  project: Project,
  settings: WorkspaceSettings,
  { place, session, cut = {}, held, maxChars }: Recovering,
): string {
  // It has no commands, and no other session is folded for them.
  const history = { ...settings.history, enabled: false };
  const around = { place, session, cut, own: held };
  const context = contextAt(project, { ...settings, history }, around);
  const { hint, work, devices, repositories } = context;
  if (hint === '' && work === undefined && devices.length + repositories.length === 0) return '';
  const text = renderLayout(minimal(context, project.ports.clock.now(), FILES_MAX));
  const upto = headAt(project, session, { cut, held });
  const section = framed('context', 'The development context as last seen.', text, upto);
  return section.length > maxChars * SHARE_MAX ? '' : section;
}

/** The newest event that it can say something of: the session's own, or one of what is around it. */
const headAt = (
  { states }: Project,
  session: string,
  { cut = {}, held = cut }: Pick<Recovering, 'cut' | 'held'>,
): number =>
  Math.max(states.at(sessionContext, session, held).seq, states.at(workspace, null, cut).seq);
