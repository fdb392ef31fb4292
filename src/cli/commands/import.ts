import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Command, Option } from 'clipanion';
import { type ImportedTranscript, importTranscripts } from '../../capture/import.ts';
import { errno } from '../../platform/errors.ts';
import { readHookConfigFile } from '../../platform/hook-config-file.ts';
import { pausesIn } from '../../platform/pauses.ts';
import { BEN10_DIR } from '../../platform/storage-location.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { Ben10Command } from '../command.ts';
import { withWriting } from '../open.ts';
import { bytes, count, duration, plural } from '../ui/format.ts';
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
  static override usage = Command.Usage({
    category: 'Start',
    description: 'Import earlier sessions from transcripts.',
    details: `
      Reads Claude Code's transcripts (.jsonl files, or folders of them at any depth) and appends what the journal does not
      have yet. Secrets are redacted first. Importing twice is the same as once.

      Claude Code keeps the transcripts of a project in ~/.claude/projects, in a folder named after the project's path.
    `,
    examples: [
      [
        'One session',
        '$0 import ~/.claude/projects/-home-me-app/0344f322-0a67-4bbb-9dc8-b0461e23dd14.jsonl',
      ],
      ['All sessions of a project', '$0 import ~/.claude/projects/-home-me-app'],
    ],
  });

  transcripts = Option.Rest({ name: 'path', required: 1 });

  async execute() {
    const { cwd, stderr, now } = this.context;
    const started = now();
    // V8 would use 30 MB more for its young generation, and let garbage grow to four times the live heap.
    setFlagsFromString('--semi-space-growth-factor=1');
    setFlagsFromString('--heap-growing-percent=100');
    setFlagsFromString('--heap-growing-percent=100');
    return withWriting(this.context, async ({ dir, ports, reader, states, recorder }) => {
      const bar = await progressBar('importing', stderr, now);
      const paths = this.transcripts.map((one) => path.resolve(cwd, one));
      const files = importTranscripts({
        ports,
        reader,
        states,
        recorder,
        pauses: pausesIn(readHookConfigFile(`${dir}/${BEN10_DIR}`)),
        paths,
        progress: bar.advance,
      });
      bar.end();
      const took = now() - started;
      const leftOut = jsonlIn(paths).filter((file) => !files.some((one) => one.path === file));
      return this.answer({ ...sumOf(files), durationMs: took, files, leftOut }, () => [
        ...this.#lines(files, took),
        ...this.#leftOut(leftOut),
      ]);
    });
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

  #lines(files: readonly ImportedTranscript[], took: number): string[] {
    const { green, yellow } = this.colours;
    if (files.length === 0) {
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
