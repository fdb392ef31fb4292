import { Ben10Error } from '../platform/errors.ts';
import type { Project } from '../project/open.ts';
import { oneLine } from '../projections/safe-text.ts';
import { parsePoint } from './points.ts';
import { storedEvents } from './stored-points.ts';

/**
 * The point that a restore was asked for: by the name of a save, or as a point.
 * @returns undefined when nothing was said
 * @throws Ben10Error USAGE for both of them, POINT_INVALID for what is neither
 */
export function askedPoint(
  project: Project,
  { name, point }: { name?: string | undefined; point?: string | undefined },
): string | undefined {
  if (name === undefined) return point === undefined ? undefined : pointOrSave(project, point);
  if (point === undefined) return `@save:${name}`;
  throw new Ben10Error('USAGE', 'both a name and a point were given', {
    next: `Use the point @save:${oneLine(name)} or the other one`,
  });
}

/** The bare name of a save is its point, where it is no other one. */
function pointOrSave(project: Project, point: string): string {
  try {
    parsePoint(point);
  } catch (error) {
    const isSaved = storedEvents(project, 'context.saved').some(({ data }) => data.name === point);
    if (!isSaved) throw error;
    return `@save:${point}`;
  }
  return point;
}
