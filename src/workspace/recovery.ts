import type { WorkspaceSettings } from '../platform/config/keys.ts';
import type { Place } from '../platform/place.ts';
import type { Project } from '../project/open.ts';
import { context as sessionContext } from '../projections/folds/context.ts';
import { workspace } from '../projections/folds/workspace.ts';
import type { Cut } from '../projections/gather.ts';
import { contextAt } from './at-point.ts';
import { framed } from './frame.ts';
import { minimal } from './layouts/minimal.ts';
import { renderLayout } from './layouts/section.ts';

/** Share of the injected text; the rest is for what was said and done. */
const SHARE_MAX = 1 / 6;
/** The newest files; recall names the others. */
const FILES_MAX = 8;

export interface Recovering {
  place: Place;
  session: string;
  cut?: Cut;
  /** Where the context before the compaction ends. */
  held?: Cut | undefined;
  /** Limit of the injected text, characters. */
  maxChars: number;
}

/**
 * The development context for a compacted session: the smallest level, from the journal alone. Empty if nothing is
 * known.
 */
export function recoverySection(
  project: Project,
  settings: WorkspaceSettings,
  { place, session, cut = {}, held, maxChars }: Recovering,
): string {
  // Without commands, so that no other session is folded.
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

/** The newest event that can be in it: of the session, or of the workspace. */
const headAt = (
  { states }: Project,
  session: string,
  { cut = {}, held = cut }: Pick<Recovering, 'cut' | 'held'>,
): number =>
  Math.max(states.at(sessionContext, session, held).seq, states.at(workspace, null, cut).seq);
