import type { FileRecord, FilesState } from './folds/files.ts';

/** After this many other files a file's recency counts half. */
const HALF_LIFE_FILES = 10;
/** Touches, and changes, that reach half of their possible weight. */
const HALF_TOUCHES = 4;
const HALF_EDITS = 2;
const WEIGHTS = { recency: 0.5, edits: 0.3, frequency: 0.2 };

const saturating = (n: number, half: number): number => n / (n + half);

/**
 * How much a file matters to the work, 0 to 1, by path: half recency (other files touched since; the clock does not count), three
 * tenths changes, two tenths touches. Computed on request, because each touch changes the value of all files.
 */
export function relevanceOf({ files }: Pick<FilesState, 'files'>): Map<string, number> {
  const records = Object.values(files);
  return new Map(
    records.map((file, index) => [file.path, relevance(file, records.length - 1 - index)]),
  );
}

function relevance({ reads, edits }: FileRecord, since: number): number {
  const value =
    WEIGHTS.recency * 0.5 ** (since / HALF_LIFE_FILES) +
    WEIGHTS.edits * saturating(edits, HALF_EDITS) +
    WEIGHTS.frequency * saturating(reads + edits, HALF_TOUCHES);
  return Math.round(value * 1000) / 1000;
}

interface RegisteredFile extends FileRecord {
  accessCount: number;
  relevance: number;
}

/** The state with relevance added, for readers; never stored. */
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
