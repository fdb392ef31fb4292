import { existsSync } from 'node:fs';
import type { FoundTranscript } from '../../capture/transcripts.ts';
import type { Belonging } from '../../capture/whose-project.ts';
import { Ben10Error } from '../../platform/errors.ts';
import { shellWord } from '../../platform/shell-word.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { count, plural } from './format.ts';

/** Sessions of another project among the transcripts of an import. */
export interface OtherProject {
  /** Its folder; where it has no ben10, the one in which the sessions started. */
  folder: string;
  hasJournal: boolean;
  sessions: number;
  transcripts: number;
  /** New events in its own journal; null if nothing was imported. */
  added: number | null;
  /** Why not. */
  why: string | null;
}

const LISTED_MAX = 10;

export function otherProjects(
  belonging: Belonging,
  others: readonly FoundTranscript[],
): OtherProject[] {
  const groups = new Map<string, { hasJournal: boolean; all: FoundTranscript[] }>();
  for (const source of others) {
    const project = belonging.projectOf(source);
    const folder = project ?? belonging.startOf(source) ?? 'an unknown folder';
    const group = groups.get(folder) ?? { hasJournal: project !== undefined, all: [] };
    group.all.push(source);
    groups.set(folder, group);
  }
  return [...groups].map(([folder, { hasJournal, all }]) => ({
    folder,
    hasJournal,
    sessions: new Set(all.map(({ session }) => session)).size,
    transcripts: all.length,
    added: null,
    why: hasJournal ? null : 'ben10 is not set up there',
  }));
}

/** A file of another project that was named itself may be a mistake. One of a folder that is gone is taken. */
export const isOfNoFolder = (belonging: Belonging, source: FoundTranscript): boolean => {
  const start = belonging.startOf(source);
  return start === null || !existsSync(start);
};

export function ofAnotherProject(belonging: Belonging, source: FoundTranscript): Ben10Error {
  const folder = belonging.projectOf(source) ?? belonging.startOf(source)!;
  const file = shellWord(source.path);
  return new Ben10Error('USAGE', `${source.path} is a session of another project, ${folder}`, {
    place: { file: source.path },
    next: `To import it there, run: ben10 import --all-projects ${file}. To import it here, run: ben10 import --here ${file}`,
  });
}

export function otherProjectsLines(others: readonly OtherProject[]): string[] {
  const taken = others.filter(({ added }) => added !== null);
  const left = others.filter(({ added }) => added === null);
  const sessions = left.reduce((sum, one) => sum + one.sessions, 0);
  return [
    ...(taken.length === 0 ? [] : ['', 'Into their own journals:']),
    ...listed(taken, ({ added }) => plural(added!, 'new event')),
    ...(left.length === 0
      ? []
      : [
          '',
          `Left out ${plural(sessions, 'session')} of ${plural(left.length, 'other project')}:`,
        ]),
    ...listed(left, ({ why }) => why ?? 'into its own journal with: --all-projects'),
  ];
}

function listed(all: readonly OtherProject[], about: (one: OtherProject) => string): string[] {
  const shown = all
    .slice(0, LISTED_MAX)
    .map(
      (one) =>
        `  ${oneLine(one.folder)} (${plural(one.sessions, 'session')}): ${oneLine(about(one))}`,
    );
  const more = all.length - shown.length;
  return more === 0 ? shown : [...shown, `  … and ${count(more)} more; all of them: --json`];
}
