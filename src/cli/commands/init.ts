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
    0: 'done, also if nothing had to change',
    1: 'a file cannot be read, parsed or written; nothing was changed',
  };
  static override choices = { HOW: CARRIERS };
  static override usage = Command.Usage({
    category: 'Start',
    description: 'Set ben10 up in this project.',
    details: `
      Adds the MCP server to .mcp.json and hooks to .claude/settings.json, writes .ben10/config.yaml, and keeps .ben10 out of
      git. The rest of these files stays, with comments; white space may change. Running it twice is the same as once. A
      settings file that cannot be parsed is not changed; the message says where it is broken.

      The settings call \`ben10\`, so everybody who shares them needs to install it (npm install -g ben10); without it, hooks
      fail silently. With \`--local\` the hooks go to .claude/settings.local.json, which is not shared, and start this copy
      by its path.

      The first time, init asks on a terminal for the project's type and for a hint to agents (the settings
      workspace.project.type and workspace.hints.default).

      \`--hooks\` says how tool calls are recorded: mcp (the default) uses the MCP server and starts no process, command
      starts a process for each call.

      \`--uninstall\` removes what init added; with \`--local\` only your own part, if others share the rest. The journal
      stays. Sections that become empty are removed, unless they were there before.
    `,
    examples: [
      ['Set it up', '$0 init'],
      ['Show the changes first', '$0 init --dry-run'],
      ['Only for yourself', '$0 init --local'],
      ['Remove it again', '$0 init --uninstall'],
    ],
  });

  hooks = Option.String('--hooks', 'auto', {
    description: '<HOW> How tool calls are recorded: auto, command or mcp.',
  });
  local = Option.Boolean('--local', false, {
    description:
      'Put hooks into settings.local.json, which is not shared; start this copy of ben10.',
  });
  dryRun = Option.Boolean('--dry-run', false, {
    description: 'Only show what would be changed.',
  });
  uninstall = Option.Boolean('--uninstall', false, {
    description: 'Remove what init added. The journal stays.',
  });

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
    const isFirst = edits.some(({ file, action }) => file === CONFIG_FILE && action === 'create');
    if (isFirst && !this.json && canAsk(this.context)) {
      this.#asked = true;
      const answers = await askAboutProject(this.context, detectProjectType(projectDir));
      for (const [name, value] of Object.entries(answers)) this.#set(projectDir, name, value);
    }
    compileSettings({ projectDir, env: this.context.env });
  }

  /** An invalid answer is only reported: everything else is already done. */
  #set(projectDir: string, name: string, value: string): void {
    const key = configKey(name)!;
    const [problem] = checkValue(key, value);
    if (problem !== undefined) this.note(`Ignored: ${problem.message}`);
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
    if (diff.length === 0) this.print('Nothing would change.');
    else
      this.print(...diff, '', 'Nothing was changed yet. To apply this, run it without --dry-run.');
    this.#printNotes(plan);
  }

  #printDone(plan: SetupPlan): void {
    const { green, bold } = this.colours;
    const changed = plan.edits.filter(({ action }) => action !== 'keep');
    const { projectDir } = plan;
    if (changed.length === 0) {
      this.print(`Nothing had to be changed in ${projectDir}.`);
    } else {
      const what = this.uninstall ? 'ben10 was removed from' : 'ben10 is set up in';
      this.print(green(`${what} ${projectDir}`), '', ...changed.map(editLine));
    }
    this.#printType(plan);
    this.#printNotes(plan);
    if (this.uninstall) {
      this.print('', 'Running sessions keep their hooks until they are restarted.');
      return;
    }
    this.print(
      '',
      bold('What next'),
      '  1. Start claude here as usual, and allow the server "ben10" when it asks.',
      '  2. See what was recorded:  ben10 log     ben10 status',
      '  3. If something is wrong:  ben10 doctor',
      '',
      'To import earlier sessions, see: ben10 import --help',
    );
  }

  #printType({ projectDir }: SetupPlan): void {
    const found = this.uninstall || this.#asked ? undefined : detectProjectType(projectDir);
    if (found === undefined) return;
    this.print(
      '',
      `Project type: ${found.type}, because of ${found.because} (change it with workspace.project.type).`,
    );
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

/** The running program, by its path. */
const thisCopy = (): Binary => ({
  node: process.execPath,
  script: path.join(__dirname, 'ben10.cjs'),
});
