import { byTime, type Item, type Kind } from './items.ts';

/**
 * What an item is worth, 0 to 100, before its length counts. What the user said weighs more than what the model
 * said, what is open more than what is done, what is new more than what is old. What the client brings back by
 * itself after a compaction (recently read files, its own summary) weighs little.
 */
const BASE: Record<Kind, number> = {
  rule: 90,
  disk: 85,
  error: 80,
  task: 75,
  correction: 65,
  decision: 60,
  prompt: 55,
  file: 50,
  command: 45,
  subagent: 40,
};
/** Tasks that are done are context, not work. */
const DONE_TASK = 25;
/** An item this many places behind the newest of its kind is worth half. */
const HALF_LIFE: Record<Kind, number> = {
  rule: 60,
  disk: 20,
  error: 6,
  task: 60,
  correction: 8,
  decision: 20,
  prompt: 8,
  file: 25,
  command: 10,
  subagent: 10,
};

export function withWorth(items: readonly Omit<Item, 'worth'>[]): Item[] {
  const ranks = new Map<Kind, number>();
  const newestFirst = [...items].sort((a, b) => byTime(b, a));
  return newestFirst.map((item) => {
    const rank = ranks.get(item.kind) ?? 0;
    ranks.set(item.kind, rank + 1);
    const done = item.kind === 'task' && /^\[(?:done|gone)\]/.test(item.text);
    const base = done ? DONE_TASK : BASE[item.kind];
    return { ...item, worth: base * 0.5 ** (rank / HALF_LIFE[item.kind]) };
  });
}
