import type { SessionRecord } from './folds/sessions.ts';

/** Whether a session that was worked in has not ended: it was killed, or is open elsewhere. A mere transcript never counts. */
export const isOpen = ({ endedAt, starts, prompts, toolCalls }: SessionRecord): boolean =>
  endedAt === null && starts > 0 && prompts + toolCalls > 0;

/** Sessions that were cut off right before the current one, the last active last. Another session since makes it old news. */
export function cutOff(sessions: readonly SessionRecord[], current: string): SessionRecord[] {
  const others = sessions.filter(({ session }) => session !== current);
  const begun = others.reduce((newest, { firstAt }) => Math.max(newest, firstAt), -Infinity);
  return others
    .filter((one) => isOpen(one) && one.lastAt >= begun)
    .sort((a, b) => a.lastAt - b.lastAt);
}
