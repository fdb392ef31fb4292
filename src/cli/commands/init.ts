import path from 'node:path';
import { Command, Option } from 'clipanion';
import { compileSettings } from '../../platform/compile-settings.ts';
import { checkValue } from '../../platform/config/check.ts';
import { withSetting } from '../../platform/config/edit.ts';
import { configKey } from '../../platform/config/keys.ts';
import { changeConfig } from '../../platform/config/write.ts';
import { detectProjectType } from '../../platform/project-type.ts';
import { BEN10_DIR } from '../../platform/storage-location.ts';
import { applyPlan } from '../../setup/apply.ts';
import type { Binary } from '../../setup/hook-entry.ts';
import { planInit } from '../../setup/plan.ts';
import { CONFIG_FILE, type PlannedEdit, type SetupPlan } from '../../setup/plan-edit.ts';
import { planUninstall } from '../../setup/plan-uninstall.ts';
import { Ben10Command, EXIT } from '../command.ts';
import { oneOf } from '../ui/arguments.ts';
import { diffLines } from '../ui/diff.ts';
import { askAboutProject, canAsk } from '../ui/project-questions.ts';
import { TEXT_WIDTH, wrap } from '../ui/wrap.ts';

const CARRIERS = ['auto', 'command', 'mcp'] as const;
const DONE = { create: 'created', change: 'changed', remove: 'removed', keep: 'kept' } as const;

export class InitCommand extends Ben10Command {
  static override paths = [['init']];
  static override exits = {
    0: 'done, also when nothing had to be changed',
    1: 'a file cannot be read, parsed or written; nothing was changed',
  };
  static override usage = Command.Usage({
    category: 'Start',
    description: 'Set ben10 up in this project.',
    details: `
      Adds ben10 to the project's .mcp.json and its hooks to .claude/settings.json, writes .ben10/config.yaml and
      keeps .ben10 out of git. Whatever else is in those files stays, with its comments; white space may change. Doing it
      twice is the same as once. A settings file that cannot be parsed is left alone, and you are told where it is broken.

      The settings call \`ben10\`, so everybody who shares them needs it installed (npm install -g ben10); without it
      hooks fail quietly. With \`--local\` the hooks go to .claude/settings.local.json, which is yours alone, and
      start this very copy by its path.

      On a terminal you are asked, the first time, for what no file tells: the project's type, and what an agent should know
      first. Both are settings (workspace.project.type, workspace.hints.default); without a terminal nobody is asked.

      \`--hooks\` says how single tool calls are recorded: by ben10's server (mcp, the default of auto), so that no
      process is started for them, or by a process each (command).

      \`--uninstall\` takes out what init put in; with \`--local\` only what is yours alone, where others share the rest.
      The journal stays. What became empty by it goes too, unless it can be seen that it was there before.
    `,
    examples: [
      ['Set it up', '$0 init'],
      ['See first what would be changed', '$0 init --dry-run'],
      ['For yourself alone', '$0 init --local'],
      ['Take it out again', '$0 init --uninstall'],
    ],
  });

  hooks = Option.String('--hooks', 'auto', {
    description: '<HOW> How tool calls are recorded: auto, command or mcp.',
  });
  local = Option.Boolean('--local', false, {
    description: 'Hooks for you alone, in settings.local.json, starting this copy of ben10.',
  });
  dryRun = Option.Boolean('--dry-run', false, {
    description: 'Show what would be changed, and change nothing.',
  });
  uninstall = Option.Boolean('--uninstall', false, {
    description: 'Take out what init put in; the journal stays.',
  });

  /** Whether somebody was asked for the project's type. */
  #asked = false;

  async execute() {
    const plan = this.#plan();
    const before = this.dryRun && !this.json ? await diffLines(plan, this.colours) : [];
    if (!this.dryRun) await this.#apply(plan);
    if (this.json) this.#printJson(plan);
    else if (this.dryRun) this.#printDry(plan, before);
    else this.#printDone(plan);
    return EXIT.ok;
  }

  #plan(): SetupPlan {
    const carrier = oneOf('--hooks', this.hooks, CARRIERS);
    const { cwd: projectDir } = this.context;
    const { local } = this;
    if (this.uninstall) return planUninstall({ projectDir, local });
    const binary: Binary = local ? thisCopy() : { command: 'ben10' };
    return planInit({ projectDir, carrier, local, binary });
  }

  async #apply(plan: SetupPlan): Promise<void> {
    applyPlan(plan);
    if (this.uninstall) return;
    const { projectDir, edits } = plan;
    // Who set it up before has answered, or changes the file.
    const isFirst = edits.some(({ file, action }) => file === CONFIG_FILE && action === 'create');
    if (isFirst && !this.json && canAsk(this.context)) {
      this.#asked = true;
      const answers = await askAboutProject(this.context, detectProjectType(projectDir));
      for (const [name, value] of Object.entries(answers)) this.#set(projectDir, name, value);
    }
    compileSettings({ projectDir, env: this.context.env });
  }

  /** An answer that the setting does not take is said, and left out: everything else is done already. */
  #set(projectDir: string, name: string, value: string): void {
    const key = configKey(name)!;
    const [problem] = checkValue(key, value);
    if (problem !== undefined) this.note(`Left out: ${problem.message}`);
    else
      changeConfig(
        path.join(projectDir, BEN10_DIR),
        (file, text) => withSetting(file, text, key, value),
        projectDir,
      );
  }

  #printJson({ projectDir, edits, notes }: SetupPlan): void {
    const files = edits.map(({ file, action, why }) => ({ file, action, why }));
    const { uninstall, dryRun } = this;
    this.printJson({ projectDir, uninstall, dryRun, files, notes });
  }

  #printDry(plan: SetupPlan, diff: readonly string[]): void {
    if (diff.length === 0) this.print('Nothing would be changed.');
    else this.print(...diff, '', 'Nothing was changed yet. To do it, leave out --dry-run.');
    this.#printNotes(plan);
  }

  #printDone(plan: SetupPlan): void {
    const { green, bold } = this.colours;
    const changed = plan.edits.filter(({ action }) => action !== 'keep');
    const { projectDir } = plan;
    if (changed.length === 0) {
      this.print(`Nothing had to be changed in ${projectDir}.`);
    } else {
      const what = this.uninstall ? 'ben10 was taken out of' : 'ben10 is set up in';
      this.print(green(`${what} ${projectDir}`), '', ...changed.map(editLine));
    }
    this.#printType(plan);
    this.#printNotes(plan);
    if (this.uninstall) {
      this.print('', 'Sessions that are running keep their hooks until they are restarted.');
      return;
    }
    this.print(
      '',
      bold('What next'),
      `  ${this.#restart()}`,
      '  2. Look at what was recorded:  ben10 log        ben10 status',
      '  3. If something seems wrong:   ben10 doctor',
      '',
      wrap(
        "Sessions from before can be taken in from the client's transcripts: ben10 import --help.",
        TEXT_WIDTH,
      ),
    );
  }

  #printType({ projectDir }: SetupPlan): void {
    const found = this.uninstall || this.#asked ? undefined : detectProjectType(projectDir);
    if (found === undefined) return;
    this.print(
      '',
      `Project type: ${found.type}, by ${found.because} (workspace.project.type changes it).`,
    );
  }

  #restart(): string {
    return '1. Start claude here as always, and allow the server "ben10" when it asks.';
  }

  #printNotes({ notes }: SetupPlan): void {
    for (const note of notes)
      this.print('', this.colours.yellow(wrap(`Note: ${note}`, TEXT_WIDTH)));
  }
}

function editLine({ file, action, why }: PlannedEdit): string {
  const head = `  ${DONE[action].padEnd(8)} ${file}`;
  return wrap(`${head.trim()}: ${why}`, TEXT_WIDTH - 2, '  ').replace(/\n {2}/g, '\n           ');
}

/** The program that is running, by its path: the bundle that stands beside this one. */
const thisCopy = (): Binary => ({
  node: process.execPath,
  script: path.join(__dirname, 'ben10.cjs'),
});
