// Where recorded sessions are cut, and what stands before and behind a cut.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { aboutOf, endingNow, partsOf, readRecords, turnStarts } from '../recall/transcript.mjs';

const SHARES = [0.5, 0.65, 0.8];
const CALLS_BEFORE_MIN = 30;
const CALLS_AFTER_MIN = 15;
/** Of a project, and of compactions in a session: a long one should not be all that is measured. */
const SESSIONS_MAX = 8;
const COMPACTIONS_MAX = 3;

/** @returns the sessions of a project with enough calls for a cut: those of the most calls */
export function sessionsIn(folder) {
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  const found = files.flatMap((name) => {
    const file = path.join(folder, name);
    // A copy of another one's start, or nothing of a session.
    if (!readFileSync(file, 'utf8').includes('"tool_use"')) return [];
    const records = readRecords(file).filter(isOfMain);
    const calls = countOf(records);
    if (calls < CALLS_BEFORE_MIN + CALLS_AFTER_MIN) return [];
    return records.some(({ sessionId, cwd }) => sessionId && cwd) ? [{ name, records, calls }] : [];
  });
  return found
    .sort((a, b) => b.calls - a.calls || (a.name < b.name ? -1 : 1))
    .slice(0, SESSIONS_MAX);
}

const isOfMain = ({ isSidechain }) => isSidechain !== true;
const countOf = (records) => records.flatMap(partsOf).filter(({ kind }) => kind === 'call').length;

/** @returns list of {at, before, after, summary?}: `summary` is the client's own, where it compacted there by itself */
export function cutsOf({ records }) {
  const starts = turnStarts(records);
  const ends = SHARES.map((share) => starts.find((start) => start >= records.length * share));
  const turns = [...new Set(ends)].map((at) => ({ at, from: at }));
  const all = [...turns, ...compactionsIn(records)];
  return all
    .filter(({ at }) => at !== undefined)
    .map(({ at, from, summary }) => ({
      at,
      summary,
      before: records.slice(0, at),
      after: records.slice(from),
    }))
    .filter(
      ({ before, after }) =>
        countOf(before) >= CALLS_BEFORE_MIN && countOf(after) >= CALLS_AFTER_MIN,
    );
}

function compactionsIn(records) {
  const found = records.flatMap((record, n) => {
    if (record.isCompactSummary !== true) return [];
    const at = records.findLastIndex((one, k) => k < n && one.subtype === 'compact_boundary');
    if (at < 0 || records[at].compactMetadata?.trigger !== 'auto') return [];
    const { content } = record.message;
    const summary =
      typeof content === 'string' ? content : content.map(({ text }) => text).join('\n');
    return [{ at, from: n + 1, summary }];
  });
  return found.slice(-COMPACTIONS_MAX);
}

/** Its lines, as if it had just been written in this folder. */
export function transcriptIn(dir, before, all) {
  const { cwd } = aboutOf(all);
  const lines = endingNow(before).map((record) => JSON.stringify(record));
  return `${lines.join('\n').replaceAll(cwd, dir)}\n`;
}
