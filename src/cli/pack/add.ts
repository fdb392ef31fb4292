import path from 'node:path';
import { Command, Option } from 'clipanion';
import type { PackOptions } from '../../events/types.ts';
import { addSources } from '../../packs/change.ts';
import { filesOf, packsAt } from '../../packs/of-project.ts';
import { parseSource, placeIn } from '../../packs/render/source.ts';
import { Ben10Error } from '../../platform/errors.ts';
import { isOutside } from '../../platform/inside.ts';
import { shellWord } from '../../platform/shell-word.ts';
import type { Project } from '../../project/open.ts';
import { fieldOf } from '../../projections/bounds.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { Ben10Command, EXIT, type Exit } from '../command.ts';
import { withWriting } from '../open.ts';
import { optionalNumber } from '../ui/arguments.ts';
import { plural } from '../ui/format.ts';
import { artifactLines } from '../ui/packs.ts';
import { readPiped } from '../ui/piped-input.ts';
import { areAgreed, captureAll, capturedText, TIMEOUT, timeoutOf, YES } from './capturing.ts';

const LIST_BYTES_MAX = 1024 * 1024;
const FILES_MAX = 200_000;

export class PackAddCommand extends Ben10Command {
  static override paths = [['pack', 'add']];
  static override exits = {
    0: 'added',
    1: 'a file is missing or sensitive, there is no such pack, you said no, or the write failed',
  };
  static override words = ['packs', 'files'] as const;
  static override choices = { DIR: 'files' as const };
  static override usage = Command.Usage({
    description: 'Add sources: files, ranges, folders, globs, texts, diffs.',
    details: `
      - PATH or file:PATH, file:PATH#L40-L88: a file, or lines of one
      - md:PATH, md_dir:PATH: Markdown, one file or those of a folder
      - glob:PATTERN: files, without what git ignores, lock files and sensitive ones
      - text:WORDS: a text of yours, at once
      - git:diff, 'git:diff -- PATH …': what changed since HEAD, or since \`--base\`; a space in a PATH is %20
      - cmd:COMMAND: what a command printed when it was run, now with \`--capture\` or later by \`ben10 pack capture\`
      - journal:touched, edited, read, failed, run=WORDS, rules: what the journal knows
      - \`-\`: a list of these on stdin, one a line; missing files in it are left out

      Paths begin at the project's folder. The highest priority comes first, and goes last if the budget is too small. A source that is
      there already gets the priority and options that you give, and keeps its others. An option is for those sources that it means something to.

      With \`--json\`: {"name", "added": [{"id", "kind", "source", "priority", "options", "added", "isNew", "files", "capture"}]}; files is
      how many a folder or a glob has now, capture as \`ben10 pack capture --help\` has it.
    `,
    examples: [
      [
        'A rule that comes first',
        "$0 pack add auth 'text:Sessions last 15 minutes.' --priority 100",
      ],
      ['Source code', "$0 pack add auth 'glob:src/auth/**/*.ts' 'src/app.ts#L10-L60'"],
      ['What changed', '$0 pack add auth git:diff --base main'],
      ['What a command prints', "$0 pack add auth 'cmd:npm test' --capture"],
      ['Files from a program', 'git diff --name-only main | $0 pack add auth -'],
    ],
  });

  name = Option.String({ name: 'name' });
  sources = Option.Rest({ name: 'source', required: 1 });
  priority = Option.String('--priority', {
    description: '<N> From -1000 to 1000; 0 for a new source.',
  });
  recursive = Option.Boolean('--recursive', { description: 'For md_dir: the folders in it, too.' });
  maxFiles = Option.String('--max-files', { description: '<N> The first N files of each.' });
  exclude = Option.Array('--exclude', { description: '<GLOB> Leave these out. May be repeated.' });
  allowSensitive = Option.Boolean('--allow-sensitive', {
    description: 'Take files that often hold secrets, too. What is found in them stays redacted.',
  });
  base = Option.String('--base', { description: '<REV> For git: from where it left REV.' });
  head = Option.String('--head', {
    description: '<REV> For git: up to REV; by default the files.',
  });
  cwd = Option.String('--cwd', { description: '<DIR> For cmd: where it runs.' });
  capture = Option.Boolean('--capture', false, {
    description: 'For cmd: ask, run it now, and keep what it prints.',
  });
  yes = Option.Boolean('--yes', false, YES);
  timeout = Option.String('--timeout', TIMEOUT);
  session = Option.String('--session', { description: '<ID> For journal: only this session.' });
  since = Option.String('--since', { description: '<POINT> For journal: only since then.' });

  async execute(): Promise<Exit> {
    const { name } = this;
    const listed = this.sources.includes('-') ? await this.#listed() : [];
    return withWriting(this.context, async (project) => {
      const sources = this.sources.flatMap((one) =>
        one === '-' ? this.#there(project, listed) : [one],
      );
      this.#refuseWrongOrder(project);
      this.#refuseElsewhere(project, sources);
      const how = { priority: this.#priority(), options: this.#options() };
      const timeoutS = timeoutOf(project, this.timeout);
      if (this.capture && !(await this.#areAgreed(sources, timeoutS))) {
        this.note('Nothing was added or run.');
        return EXIT.notSo;
      }
      const added = await addSources(project, name, sources, how, 'cli');
      const commands = this.capture ? added.filter(({ kind }) => kind === 'cmd') : [];
      const captured = await captureAll(this.context, project, name, commands, timeoutS);
      const files = await filesOf(project, added);
      for (const { id, source } of added)
        if (files.get(id) === 0) this.note(`${oneLine(source)} has no file now`);
      const all = added.map((one) => ({
        ...one,
        files: files.get(one.id),
        capture: captured.find(({ artifact }) => artifact === one.id),
      }));
      return this.answer({ name, added: all }, () =>
        artifactLines(
          all.map(({ files: found, capture, isNew, ...artifact }) => ({
            artifact,
            sign: isNew ? '+' : '~',
            about: capture
              ? capturedText(capture)
              : found === undefined
                ? ''
                : plural(found, 'file'),
          })),
        ),
      );
    });
  }

  /** Before anything is added. */
  async #areAgreed(sources: readonly string[], timeoutS: number): Promise<boolean> {
    const commands = sources.map(parseSource).filter(({ kind }) => kind === 'cmd');
    if (commands.length === 0)
      throw new Ben10Error('USAGE', '--capture is for commands', {
        next: "Give one: 'cmd:npm test'",
      });
    const options = this.cwd === undefined ? {} : { cwd: this.cwd };
    const all = commands.map(({ source }) => ({ source, options }));
    return this.yes || areAgreed(this.context, all, timeoutS);
  }

  async #listed(): Promise<string[]> {
    const { stdin } = this.context;
    const tooLong = () =>
      new Ben10Error('LIMIT_EXCEEDED', `the list has over ${LIST_BYTES_MAX} bytes`, {
        next: 'Give a glob instead: glob:src/**',
      });
    const text = await readPiped(stdin as NodeJS.ReadStream, LIST_BYTES_MAX, tooLong);
    return text.split(/\r?\n/).filter((line) => line.trim() !== '');
  }

  /** A program may name files that it removed. */
  #there({ dir, ports }: Project, listed: readonly string[]): string[] {
    const isGone = (one: string): boolean =>
      !one.includes(':') &&
      ports.fs.statIfThere(`${dir}/${one.replace(/#L[^/]*$/, '')}`) === undefined;
    const gone = listed.filter(isGone);
    if (gone.length > 0)
      this.note(
        `${plural(gone.length, 'file is', 'files are')} not there: ${oneLine(gone.slice(0, 5).join(', '))}`,
      );
    return listed.filter((one) => !isGone(one));
  }

  /** @throws Ben10Error USAGE */
  #refuseWrongOrder(project: Project): void {
    const { packs } = packsAt(project);
    const [pack = ''] = this.sources;
    if (fieldOf(packs, this.name) !== undefined || fieldOf(packs, pack) === undefined) return;
    throw new Ben10Error('USAGE', 'the pack comes first', {
      next: `ben10 pack add ${pack} ${shellWord(oneLine(this.name))}`,
    });
  }

  /** A path that is right from the current folder only. @throws Ben10Error FS_NOT_FOUND */
  #refuseElsewhere({ dir, ports }: Project, sources: readonly string[]): void {
    const isThere = (file: string) => ports.fs.statIfThere(file) !== undefined;
    for (const one of sources.map(parseSource)) {
      if (!['file', 'range', 'md'].includes(one.kind)) continue;
      const named = placeIn(one).path;
      const here = path.resolve(this.context.cwd, named);
      if (isOutside(dir, here) || isThere(path.join(dir, named)) || !isThere(here)) continue;
      const meant = path.relative(dir, here).split(path.sep).join('/');
      throw new Ben10Error('FS_NOT_FOUND', `${oneLine(named)} does not exist`, {
        next: `Paths begin at the project’s folder: did you mean ${oneLine(meant)}?`,
      });
    }
  }

  #priority(): number | undefined {
    if (this.priority === undefined) return undefined;
    return /^-?\d{1,6}$/.test(this.priority) ? Number(this.priority) : Number.NaN;
  }

  #options(): PackOptions {
    const { recursive, exclude, allowSensitive, base, head, cwd, session, since } = this;
    const maxFiles = optionalNumber('--max-files', this.maxFiles, 1, FILES_MAX);
    const all = { recursive, maxFiles, exclude, allowSensitive, base, head, cwd, session, since };
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  }
}
