import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { Command } from 'clipanion';
import { DIR_MODE } from '../../platform/fs.ts';
import { Ben10Command, EXIT } from '../command.ts';
import { run } from '../run.ts';
import { LineLimit } from '../ui/line-limit.ts';
import { TEXT_WIDTH, wrap } from '../ui/wrap.ts';

/** Put there by the build: sessions of Claude Code that were recorded for ben10's own tests. */
const SESSIONS = path.join(__dirname, 'demo');

interface Step {
  title: string;
  about: string;
  /** What is run, as it could be typed in the demo's folder. */
  command: string;
  /** Lines that are shown of what it prints. */
  lines: number;
}

const STEPS: readonly Step[] = [
  {
    title: 'A session is recorded',
    about:
      'In your project hooks do this while you work. Here a real session of Claude Code is taken in from its transcript.',
    command: `import ${path.join(SESSIONS, 'session.jsonl')}`,
    lines: 1,
  },
  {
    title: 'Look at it',
    about: 'Prompts, tool calls, outcomes, compactions: each is an event with a number.',
    command: 'log --type prompt. --type tool. --type compaction. --limit 12',
    lines: 12,
  },
  {
    title: 'Go back to just before its compaction',
    about: 'What the agent knew, did and had open at that moment, worked out from the journal.',
    command: 'replay @compaction:-1',
    lines: 29,
  },
  {
    title: 'Give back what the compaction lost',
    about: 'This is put before the model after the compaction; every line names its event.',
    command: 'recall --at @compaction:-1 --source compact',
    lines: 13,
  },
  {
    title: 'Make it small',
    about:
      'A few more sessions are taken in, then the journal is compressed. Nothing is lost by it.',
    command: `import ${path.join(SESSIONS, 'more')}`,
    lines: 1,
  },
  { title: '', about: '', command: 'compact', lines: 1 },
  {
    title: 'Check every byte',
    about: 'Checksums, and a chain from the first event to the last.',
    command: 'verify',
    lines: 4,
  },
];

export class DemoCommand extends Ben10Command {
  static override paths = [['demo']];
  static override exits = { 0: 'shown', 1: 'a step failed' };
  static override usage = Command.Usage({
    category: 'Start',
    description: 'See in a few seconds what ben10 does, on a real session.',
    details: `
      Runs ben10's own commands in a new folder of its own, on sessions of Claude Code that were recorded for its
      tests. Your projects are not touched. The folder stays, so that you can look around in it.
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
    const ok = steps.every(({ exitCode }) => exitCode === EXIT.ok);
    if (this.json) this.printJson({ ok, dir, steps });
    else if (ok) this.print(...this.#closing(dir));
    return ok ? EXIT.ok : EXIT.notSo;
  }

  #announce({ title, about, command }: Step): void {
    const { bold, cyan } = this.colours;
    // Where the sessions are is of no interest here.
    const typed = command.replace(SESSIONS + path.sep, '');
    const heading = title === '' ? [] : ['', bold(title), wrap(about, TEXT_WIDTH)];
    this.print(...heading, cyan(`$ ben10 ${typed}`));
  }

  async #run({ command, lines }: Step, dir: string): Promise<number> {
    const out = new LineLimit(this.context.stdout, { lines, width: TEXT_WIDTH, mute: this.json });
    const words = command.split(' ');
    const args = command.startsWith('import ') ? ['import', command.slice(7)] : words;
    // No terminal, so that no progress bar gets in between.
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
      `  ${cyan('npm install -g .')}       from this clone: makes "ben10" a command`,
      `  ${cyan('cd your-project')}`,
      `  ${cyan('ben10 init')}             sets up the hooks and the server`,
      `  ${cyan('claude')}                 and work as always; then: ben10 log, replay, recall`,
      '',
      `This demo's journal stays in ${dir}`,
      'Look around in it (cd there, ben10 log), and delete the folder when you like.',
    ];
  }
}
