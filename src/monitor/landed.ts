import type { Level } from '../events/types.ts';
import { readTail } from '../platform/files.ts';
import { nodeFs } from '../platform/fs.ts';
import type { EpochUse } from '../projections/folds/context-use.ts';
import { tagOf } from './advice.ts';
import { rankOf } from './levels.ts';

/** More than most turns write. */
const TAIL_BYTES = 2 * 1024 * 1024;

/** The highest level of an epoch, if it was told once and the transcript shows that the model did not get it. */
export function notLanded(
  told: EpochUse['alerted'],
  transcript: string | undefined,
): Level | undefined {
  const highest = told.toSorted((a, b) => rankOf(a.level) - rankOf(b.level)).at(-1);
  if (highest === undefined || transcript === undefined) return undefined;
  const { level, at } = highest;
  if (told.some((one) => one.level === level && one.isAgain)) return undefined;
  const lines = readTail(nodeFs, transcript, TAIL_BYTES).split('\n');
  // What was cut off may have it.
  const isSeen = lines.some((line) => timeOf(line) < at);
  const tag = tagOf(level);
  const isThere = lines.some((line) => line.includes(tag) && !(timeOf(line) < at) && !isOurs(line));
  return isSeen && !isThere ? level : undefined;
}

/** What the hook printed, whether the client took it or not. */
const isOurs = (line: string): boolean => line.includes('"type":"hook_success"');

const timeOf = (line: string): number =>
  Date.parse(/"timestamp":"([^"]{1,40})"/.exec(line)?.[1] ?? '');
