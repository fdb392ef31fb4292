import type { WorkspaceSettings } from '../platform/config/keys.ts';
import type { Project } from '../project/open.ts';
import { contextAt } from './at-point.ts';
import { framed } from './frame.ts';
import { minimal } from './layouts/minimal.ts';
import { renderLayout } from './layouts/section.ts';
import type { Place } from './place.ts';

/**
 * What a session that was compacted gets of its development context: the smallest level, from the journal alone. Empty when
 * nothing is known.
 */
export function recoverySection(
  project: Project,
  settings: WorkspaceSettings,
  place: Place,
  session: string,
): string {
  const context = contextAt(project, settings, { place, session });
  const { hint, work, devices, repositories } = context;
  if (hint === '' && work === undefined && devices.length + repositories.length === 0) return '';
  const text = renderLayout(minimal(context, project.ports.clock.now()));
  const upto = Math.max(0, ...context.changes.map(({ seq }) => seq));
  return framed('context', 'The development context, as it was last seen.', text, upto);
}
