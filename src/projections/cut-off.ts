import type { SessionRecord } from './folds/sessions.ts';

/**
 * Whether a session that somebody began and worked in has not said that it ended: it was killed, or is open elsewhere. One of
 * which only a transcript is known never says so.
 */
export const isOpen = ({ endedAt, starts, prompts, toolCalls }: SessionRecord): boolean =>
  endedAt === null && starts > 0 && prompts + toolCalls > 0;

/**
 * The sessions that were cut off right before the present one, the last active last. Once another session has begun behind one, it
 * is old news.
 * @param current the present session
 */
export function cutOff(sessions: readonly SessionRecord[], current: string): SessionRecord[] {
  const others = sessions.filter(({ session }) => session !== current);
  const begun = others.reduce((newest, { firstAt }) => Math.max(newest, firstAt), -Infinity);
  return others
    .filter((one) => isOpen(one) && one.lastAt >= begun)
    .sort((a, b) => a.lastAt - b.lastAt);
}
