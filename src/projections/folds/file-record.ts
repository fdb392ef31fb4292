import type { ContentName } from '../file-text.ts';

export type FileAction = 'read' | 'edited' | 'created' | 'written';

export interface FileRecord {
  path: string;
  reads: number;
  /** Changes, of whatever kind. */
  edits: number;
  /** Of these, the ones that wrote it whole. */
  writes: number;
  lastAction: FileAction;
  /** Of its last successful touch, reads included. */
  lastTool: string;
  /** Of its last successful touch. */
  lastAt: number;
  lastSeq: number;
  /** Of its last change; null while it was only read. */
  changedSeq: number | null;
  linesAdded: number;
  linesRemoved: number;
  /** Sub-agents that touched it, the newest; '' is the main thread. */
  agents: string[];
  /** What was in it when the journal last saw all of it; null where that cannot be said. */
  known: KnownContent | null;
  /** What it is about, in its own words; empty where that is not known. */
  summary: string;
  /** Whose word counts since it was found changed from outside; null when no tool touched it since, or nobody decided. */
  merged: Merged | null;
}

export interface KnownContent extends ContentName {
  /** Where the journal last saw it. */
  seq: number;
  at: number;
}

/** What was decided of a file that the disk has otherwise than the journal. */
export interface Merged {
  believed: 'journal' | 'disk';
  /** Of what the disk had then; null: no such file. */
  hash: string | null;
  seq: number;
}

/** One change of a file, by a tool or, where the disk was believed, by a merge. */
export interface FileChange {
  path: string;
  seq: number;
  at: number;
  tool: string;
  /** A sub-agent's id; null is the main thread. */
  agent: string | null;
}

export interface OpenFileCall {
  action: FileAction;
  path: string;
  tool: string;
  /** Of the text that it writes; null where it writes none. */
  lines: number | null;
  /** What it writes, if that is known. */
  content: ContentName | null;
  summary: string;
}

export interface FilesState {
  /** By path, last touched last. */
  files: Record<string, FileRecord>;
  /** Calls without an outcome yet, by tool use id. */
  open: Record<string, OpenFileCall>;
  /** Who changed what, the newest last. */
  changes: FileChange[];
  /** Files left out because there were too many: the ones touched longest ago. */
  dropped: number;
}
