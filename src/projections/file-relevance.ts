import type { FileRecord, FilesState } from './folds/files.ts';

/** A file that this many others were touched after counts half as recent. */
const HALF_LIFE_FILES = 10;
/** So many touches, or changes, make half of what they can count. */
const HALF_TOUCHES = 4;
const HALF_EDITS = 2;
const WEIGHTS = { recency: 0.5, edits: 0.3, frequency: 0.2 };

const saturating = (n: number, half: number): number => n / (n + half);

/**
 * How much a file matters to the work, 0 to 1, by path. Half of it is how recently it was touched (by how many other files
 * were touched since, not by the clock: a pause makes nothing less relevant), three tenths how often it was changed, two
 * tenths how often it was touched at all. Computed when it is asked for: every touch of one file changes it for all.
 */
export function relevanceOf({ files }: Pick<FilesState, 'files'>): Map<string, number> {
  const records = Object.values(files);
  return new Map(
    records.map((file, index) => [file.path, relevance(file, records.length - 1 - index)]),
  );
}

/** @param since how many other files were touched after this one */
function relevance({ reads, edits }: FileRecord, since: number): number {
  const value =
    WEIGHTS.recency * 0.5 ** (since / HALF_LIFE_FILES) +
    WEIGHTS.edits * saturating(edits, HALF_EDITS) +
    WEIGHTS.frequency * saturating(reads + edits, HALF_TOUCHES);
  return Math.round(value * 1000) / 1000;
}

/** A file as it is shown: with what follows from its record. */
export interface RegisteredFile extends FileRecord {
  accessCount: number;
  relevance: number;
}

/** The state with what follows from it said of each file: for those who read it, never stored. */
export function withRelevance(
  state: FilesState,
): Omit<FilesState, 'files'> & { files: Record<string, RegisteredFile> } {
  const values = relevanceOf(state);
  const files = Object.entries(state.files).map(([key, file]): [string, RegisteredFile] => [
    key,
    { ...file, accessCount: file.reads + file.edits, relevance: values.get(file.path) ?? 0 },
  ]);
  return { ...state, files: Object.fromEntries(files) };
}
