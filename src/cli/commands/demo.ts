import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { Command } from 'clipanion';
import { DIR_MODE } from '../../platform/fs.ts';
import { type WithAndWithout, withAndWithout } from '../../recall/with-and-without.ts';
import { findCompaction } from '../../timetravel/compactions.ts';
import { Ben10Command, EXIT } from '../command.ts';
import { withJournal } from '../open.ts';
import { run } from '../run.ts';
import { LineLimit } from '../ui/line-limit.ts';
import { withAndWithoutLines } from '../ui/with-and-without.ts';
import { textWidth, wrap } from '../ui/wrap.ts';

/** A recorded session of Claude Code, copied here by the build. */
const SESSIONS = path.join(__dirname, 'demo');

interface Step {
  title: string;
  about: string;
  command: string;
  /** Lines of output that are shown. */
  lines: number;
}

const STEPS: readonly Step[] = [
  {
    title: 'A session is recorded',
    about:
      'In your project, hooks record while you work. Here, a real session of Claude Code is imported from its transcript.',
    command: `import ${path.join(SESSIONS, 'session.jsonl')}`,
    lines: 1,
  },
  {
    title: 'Its context was full, so the client compacted it',
    about: 'Each prompt, tool call, result and compaction is an event with a number.',
    command: 'log --type prompt. --type compaction. --limit 3',
    lines: 3,
  },
  {
    title: 'Go back to the moment before',
    about: 'What the agent knew and did up to that moment, computed from the journal.',
    command: 'replay @compaction:-1',
    lines: 18,
  },
  {
    title: 'Give back what the compaction lost',
    about: 'The model gets this text after the compaction. Each line names its event.',
    command: 'recall --at @compaction:-1 --source compact',
    lines: 14,
  },
  {
    title: 'Make it small, and check every byte',
    about: 'The journal is compressed without loss, and its checksums and hash chain are checked.',
    command: 'compact',
    lines: 1,
  },
  { title: '', about: '', command: 'verify', lines: 1 },
];

/** Wider columns are hard to read. */
const BESIDE_WIDTH = 120;
const HONESTY =
  'A fact is what was said, decided or run. Words are compared, so something that the summary rephrases counts as missing. In both cases the client also reads up to five files again. All of it: ben10 lost';

export class DemoCommand extends Ben10Command {
  static override paths = [['demo']];
  static override exits = { 0: 'shown', 1: 'a step failed' };
  static override busy = '';
  static override usage = Command.Usage({
    category: 'Start',
    description: 'Show what ben10 does, with a real session, in a few seconds.',
    details: `
      Runs ben10 commands in a new temporary folder, on a recorded session of Claude Code. Your projects are not touched.
      The folder stays, so that you can look around in it.
    `,
    examples: [['A first look', '$0 demo']],
  });

  async execute() {
    const dir = mkdtempSync(path.join(tmpdir(), 'ben10-demo-'));
    mkdirSync(path.join(dir, '.ben10'), { mode: DIR_MODE });
    const { bold } = this.colours;
    if (!this.json)
      this.print(bold('ben10: the flight recorder and time machine of coding agents'));
    const steps: { command: string; exitCode: number }[] = [];
    for (const step of STEPS) {
      if (!this.json) this.#announce(step);
      const exitCode = await this.#run(step, dir);
      steps.push({ command: step.command, exitCode });
      if (exitCode !== EXIT.ok) break;
    }
    if (!steps.every(({ exitCode }) => exitCode === EXIT.ok)) {
      if (this.json) this.printJson({ ok: false, dir, steps });
      return EXIT.notSo;
    }
    const compaction = await this.#compaction(dir);
    if (this.json) this.printJson({ ok: true, dir, steps, compaction });
    else this.print(...this.#beside(compaction), ...this.#closing(dir));
    return EXIT.ok;
  }

  #compaction(dir: string): Promise<WithAndWithout> {
    return withJournal({ ...this.context, cwd: dir }, (project) => {
      const { session, point, summary, at } = findCompaction(project, -1);
      return withAndWithout(project, { session, cut: point.cut, summary, at });
    });
  }

  #beside(compaction: WithAndWithout): string[] {
    const width = Number.isFinite(this.width) ? Math.min(this.width, BESIDE_WIDTH) : textWidth();
    return [
      '',
      this.colours.bold('A compaction, without ben10 and with it'),
      ...withAndWithoutLines(compaction, width, this.colours),
      '',
      wrap(HONESTY, width),
    ];
  }

  #announce({ title, about, command }: Step): void {
    const { bold, cyan } = this.colours;
    const typed = command.replace(SESSIONS + path.sep, '');
    const heading = title === '' ? [] : ['', bold(title), wrap(about)];
    this.print(...heading, cyan(`$ ben10 ${typed}`));
  }

  async #run({ command, lines }: Step, dir: string): Promise<number> {
    const out = new LineLimit(this.context.stdout, { lines, width: textWidth(), mute: this.json });
    const words = command.split(' ');
    const args = command.startsWith('import ') ? ['import', command.slice(7)] : words;
    // Not a terminal, so that there is no progress bar.
    const notes = new Writable({ write: (chunk, _encoding, done) => out.write(chunk, done) });
    const context = { ...this.context, cwd: dir, stdout: out, stderr: notes };
    const exitCode = await run(args, context);
    out.finish(this.colours.dim);
    return exitCode;
  }

  #closing(dir: string): string[] {
    const { bold, cyan } = this.colours;
    return [
      '',
      bold('What next'),
      `  ${cyan('npm install -g .')}       in this clone: installs the command ben10`,
      `  ${cyan('cd your-project')}`,
      `  ${cyan('ben10 init')}             sets up the hooks and the MCP server`,
      `  ${cyan('claude')}                 work as usual; then try ben10 log, replay, recall`,
      '',
      `The journal of this demo is in ${dir}`,
      'To look around in it: cd there, then ben10 log. Delete the folder at any time.',
    ];
  }
}
