import type { ContentName } from '../file-text.ts';

export type FileAction = 'read' | 'edited' | 'created' | 'written';

export interface FileRecord {
  path: string;
  reads: number;
  edits: number;
  /** Changes that wrote the whole file. */
  writes: number;
  lastAction: FileAction;
  /** Of its last successful use, reads included. */
  lastTool: string;
  lastAt: number;
  lastSeq: number;
  /** Of its last change; null when it was only read. */
  changedSeq: number | null;
  linesAdded: number;
  linesRemoved: number;
  /** The newest sub-agents that used it; '' is the main thread. */
  agents: string[];
  /** Its content when the journal last saw all of it; null when unknown. */
  known: KnownContent | null;
  /** What it is about; empty when unknown. */
  summary: string;
  /** Which version counts since a change from outside; null when undecided, or a tool used it since. */
  merged: Merged | null;
}

interface KnownContent extends ContentName {
  seq: number;
  at: number;
}

interface Merged {
  believed: 'journal' | 'disk';
  /** Of the disk's content then; null when the file was gone. */
  hash: string | null;
  seq: number;
}

/** A change by a tool, or by a merge that chose the disk's version. */
export interface FileChange {
  path: string;
  seq: number;
  at: number;
  tool: string;
  /** A sub-agent; null is the main thread. */
  agent: string | null;
}

export interface OpenFileCall {
  action: FileAction;
  path: string;
  tool: string;
  lines: number | null;
  content: ContentName | null;
  summary: string;
}

export interface FilesState {
  /** By path; the last used is last. */
  files: Record<string, FileRecord>;
  /** Calls without an outcome yet, by tool use id. */
  open: Record<string, OpenFileCall>;
  /** Newest last. */
  changes: FileChange[];
  /** How many files were dropped because there were too many: those used longest ago. */
  dropped: number;
}
