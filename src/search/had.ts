import type { Project } from '../project/open.ts';
import type { Cut } from '../projections/gather.ts';
import { comparePlaces } from '../projections/order.ts';

/** A point of the past; a cut by history may be one of a session's own. */
export interface PointOfPast {
  cut: Cut;
  session: string | null;
}

/** Whether something had happened by the point. */
export type Had = (seq: number, session: string | null, at: number) => boolean;

/** The facts that have a place in a conversation. */
const PLACED = [
  'prompt.submitted',
  'message.recorded',
  'tool.called',
  'tool.succeeded',
  'tool.failed',
  'compaction.finished',
] as const;

/**
 * A cut by arrival is one of seqs. A cut by history is one of times, except in the session of which it is: there a fact counts by its
 * place in the conversation, so that a prompt is not among what was before it, whatever its clock said.
 */
export function hadBy(project: Project, { cut, session: own }: PointOfPast): Had {
  const { upto = Number.POSITIVE_INFINITY, before } = cut;
  if (before === undefined) return (seq) => seq <= upto;
  let places: Map<number, boolean> | undefined;
  const placedIn = (session: string) =>
    new Map(
      project.states
        .facts(session, PLACED)
        .map(({ fact, place }) => [fact.seq, comparePlaces(place, before) < 0]),
    );
  return (seq, session, at) => {
    if (seq > upto) return false;
    if (session !== null && session === own) {
      places ??= placedIn(session);
      const isBefore = places.get(seq);
      if (isBefore !== undefined) return isBefore;
    }
    return at > 0 && at < before.time;
  };
}
