import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Command, Option } from 'clipanion';
import {
  type ImportedTranscript,
  type ImportOptions,
  importTranscripts,
} from '../../capture/import.ts';
import { type FoundTranscript, findTranscripts } from '../../capture/transcripts.ts';
import { Belonging } from '../../capture/whose-project.ts';
import { Ben10Error, errno } from '../../platform/errors.ts';
import { homeOrTop } from '../../platform/home.ts';
import { readHookConfigFile } from '../../platform/hook-config-file.ts';
import { pausesIn } from '../../platform/pauses.ts';
import { BEN10_DIR } from '../../platform/storage-location.ts';
import type { Project } from '../../project/open.ts';
import { fieldOf } from '../../projections/bounds.ts';
import { sessions } from '../../projections/folds/sessions.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { Ben10Command } from '../command.ts';
import { withWriting } from '../open.ts';
import { bytes, count, duration, plural } from '../ui/format.ts';
import {
  isOfNoFolder,
  type OtherProject,
  ofAnotherProject,
  otherProjects,
  otherProjectsLines,
} from '../ui/other-projects.ts';
import { progressBar } from '../ui/progress.ts';
import { table } from '../ui/table.ts';

const LISTED_MAX = 20;
const LEFT_OUT_MAX = 5;

export class ImportCommand extends Ben10Command {
  static override paths = [['import']];
  static override exits = {
    0: 'done, also if there was nothing new',
    1: 'a path does not exist, or the write failed',
  };
  static override words = ['files'] as const;
  static override busy = 'reading the transcripts';
  static override usage = Command.Usage({
    category: 'Start',
    description: 'Import earlier sessions from transcripts.',
    details: `
      Reads Claude Code's transcripts (.jsonl files, or folders of them at any depth; by default all that the client keeps)
      and appends what the journal does not have yet. Secrets are redacted first. Importing twice is the same as once.

      Only sessions that started in this project or in a git worktree of it are imported, and those that its journal
      knows. Others are left out and listed. With \`--all-projects\` they go into the journals of their own projects, where
      ben10 is set up; with \`--here\` into this one.
    `,
    examples: [
      ['All earlier sessions of this project', '$0 import'],
      [
        'One session',
        '$0 import ~/.claude/projects/-home-me-app/0344f322-0a67-4bbb-9dc8-b0461e23dd14.jsonl',
      ],
      ['The sessions of all projects, each into its own journal', '$0 import --all-projects'],
    ],
  });

  transcripts = Option.Rest({ name: 'path' });
  allProjects = Option.Boolean('--all-projects', false, {
    description: 'Import sessions of other projects into their own journals.',
  });
  here = Option.Boolean('--here', false, {
    description: 'Import sessions of other projects into this journal.',
  });

  async execute() {
    const { stderr, now } = this.context;
    const started = now();
    // V8 would use 30 MB more for its young generation, and let garbage grow to four times the live heap.
    setFlagsFromString('--semi-space-growth-factor=1');
    setFlagsFromString('--heap-growing-percent=100');
    setFlagsFromString('--heap-growing-percent=100');
    const paths = this.#paths();
    return withWriting(this.context, async (project) => {
      const { dir, ports, states } = project;
      const all = paths.flatMap((one) => findTranscripts(ports.fs, one));
      const known = states.at(sessions, null).state.sessions;
      const isKnown = (session: string) => fieldOf(known, session) !== undefined;
      const belonging = new Belonging(dir, isKnown, all);
      const isNamed = ({ path: file }: FoundTranscript) => paths.includes(file);
      const isWanted = (one: FoundTranscript) =>
        this.here || belonging.isOurs(one) || (isNamed(one) && isOfNoFolder(belonging, one));
      const strange = all.filter((one) => !isWanted(one));
      const refused = this.allProjects ? undefined : strange.find(isNamed);
      if (refused !== undefined) throw ofAnotherProject(belonging, refused);
      const bar = await progressBar('importing', stderr, now);
      const files = imported(project, { paths, isWanted, progress: bar.advance });
      const others = otherProjects(belonging, strange);
      if (this.allProjects)
        for (const other of others.filter(({ hasJournal }) => hasJournal))
          await this.#importInto(other, (one) => belonging.projectOf(one) === other.folder);
      bar.end();
      const took = now() - started;
      const transcripts = new Set(all.map((one) => one.path));
      const leftOut = jsonlIn(paths).filter((file) => !transcripts.has(file));
      return this.answer({ ...sumOf(files), durationMs: took, files, leftOut, others }, () => [
        ...this.#lines(files, took, others.length > 0),
        ...otherProjectsLines(others),
        ...this.#leftOut(leftOut),
      ]);
    });
  }

  #paths(): string[] {
    const { cwd, env } = this.context;
    if (this.transcripts.length > 0) return this.transcripts.map((one) => path.resolve(cwd, one));
    return [
      path.join(env.CLAUDE_CONFIG_DIR || path.join(env.HOME ?? homeOrTop(), '.claude'), 'projects'),
    ];
  }

  /** Into the journal of another project. */
  async #importInto(
    other: OtherProject,
    isWanted: (source: FoundTranscript) => boolean,
  ): Promise<void> {
    const paths = this.#paths();
    try {
      await withWriting({ ...this.context, cwd: other.folder }, (project) => {
        other.added = sumOf(imported(project, { paths, isWanted })).added;
      });
    } catch (error) {
      if (!(error instanceof Ben10Error) && errno(error) === undefined) throw error;
      other.why = (error as Error).message;
    }
  }

  #leftOut(files: readonly string[]): string[] {
    if (files.length === 0) return [];
    const what =
      files.length === 1 ? 'a file that is not a transcript' : 'files that are not transcripts';
    const shown = files.slice(0, LEFT_OUT_MAX).map((file) => `  ${oneLine(file)}`);
    const more = files.length - shown.length;
    const rest = more === 0 ? [] : [`  … and ${count(more)} more; all of them: --json`];
    return ['', this.colours.yellow(`Skipped ${what}:`), ...shown, ...rest];
  }

  #lines(files: readonly ImportedTranscript[], took: number, hasOthers: boolean): string[] {
    const { green, yellow } = this.colours;
    if (files.length === 0) {
      if (hasOthers) return [yellow('No session of this project was found.')];
      return [
        yellow('No transcript of Claude Code was found.'),
        'Transcripts are .jsonl files in ~/.claude/projects.',
      ];
    }
    const { added, enriched, records, malformed, unknown, sessions } = sumOf(files);
    const kinds = Object.entries(unknown).map(
      ([type, times]) => `${oneLine(type)} (${count(times)})`,
    );
    const verdict =
      added + enriched === 0
        ? `Nothing new in ${plural(files.length, 'transcript')}.`
        : green(
            `${plural(added, 'new event')} from ${plural(files.length, 'transcript')} of ` +
              `${plural(sessions, 'session')}.`,
          );
    return [
      `${verdict} ${duration(took)}`,
      ...(enriched === 0 ? [] : [`Details were added to ${plural(enriched, 'event')}.`]),
      ...(malformed === 0 ? [] : [yellow(`Skipped unreadable: ${plural(malformed, 'line')}.`)]),
      ...(kinds.length === 0 ? [] : [yellow(`Skipped unknown records: ${kinds.join(', ')}.`)]),
      ...(files.length > 1 && files.length <= LISTED_MAX ? ['', ...fileTable(files)] : []),
      ...(records === 0 ? [] : ['', 'See them: ben10 log']),
    ];
  }
}

function imported(
  { dir, ports, reader, states, recorder }: Project,
  how: Pick<ImportOptions, 'paths' | 'isWanted' | 'progress'>,
): ImportedTranscript[] {
  const pauses = pausesIn(readHookConfigFile(`${dir}/${BEN10_DIR}`));
  return importTranscripts({ ports, reader, states, recorder, pauses, ...how });
}

function jsonlIn(paths: readonly string[]): string[] {
  const all = paths.flatMap((one) => (statSync(one).isDirectory() ? filesIn(one) : [one]));
  return all.filter((file) => file.endsWith('.jsonl'));
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const file = path.join(folder, entry.name);
      return entry.isDirectory() ? filesIn(file) : [file];
    });
  } catch (error) {
    if (errno(error) === undefined) throw error;
    return [];
  }
}

function fileTable(files: readonly ImportedTranscript[]): string[] {
  const rows = files.map(({ path: file, agent, added, records, to }) => [
    oneLine(path.basename(file)).slice(0, 44) + (agent === null ? '' : ' (agent)'),
    bytes(to),
    count(records),
    count(added),
  ]);
  return table(['transcript', '>size', '>records', '>new events'], rows);
}

function sumOf(files: readonly ImportedTranscript[]) {
  const unknown: Record<string, number> = {};
  for (const file of files) {
    for (const [type, times] of Object.entries(file.unknown)) {
      unknown[type] = (unknown[type] ?? 0) + times;
    }
  }
  const sum = (field: 'added' | 'enriched' | 'records' | 'malformed') =>
    files.reduce((total, file) => total + file[field], 0);
  return {
    transcripts: files.length,
    sessions: new Set(files.map(({ session }) => session)).size,
    added: sum('added'),
    enriched: sum('enriched'),
    records: sum('records'),
    malformed: sum('malformed'),
    unknown,
  };
}
