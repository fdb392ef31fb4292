import path from 'node:path';
import { Command, Option } from 'clipanion';
import { compileSettings } from '../../platform/compile-settings.ts';
import { checkValue } from '../../platform/config/check.ts';
import { withSetting } from '../../platform/config/edit.ts';
import { configKey } from '../../platform/config/keys.ts';
import { changeConfig } from '../../platform/config/write.ts';
import { Ben10Error } from '../../platform/errors.ts';
import { homeFolder } from '../../platform/project-folder.ts';
import { detectProjectType } from '../../platform/project-type.ts';
import { BEN10_DIR } from '../../platform/storage-location.ts';
import { applyPlan } from '../../setup/apply.ts';
import type { Binary } from '../../setup/hook-entry.ts';
import { refusePlace } from '../../setup/place.ts';
import { planInit } from '../../setup/plan.ts';
import { CONFIG_FILE, type SetupPlan } from '../../setup/plan-edit.ts';
import { planUninstall } from '../../setup/plan-uninstall.ts';
import { clientFolder, planUser } from '../../setup/plan-user.ts';
import { setUserServer, userServerCommand } from '../../setup/user-server.ts';
import { Ben10Command, EXIT } from '../command.ts';
import { oneOf } from '../ui/arguments.ts';
import { diffLines } from '../ui/diff.ts';
import { askAboutProject, canAsk } from '../ui/project-questions.ts';
import { editLines, nextLines, sharingLine } from '../ui/setup-report.ts';
import { wrap } from '../ui/wrap.ts';

const CARRIERS = ['command', 'mcp'] as const;
const WRAP = ['wrap'] as const;

export class InitCommand extends Ben10Command {
  static override paths = [['init']];
  static override exits = {
    0: 'done, also if nothing had to change',
    1: 'a file cannot be read, parsed or written; nothing was changed',
    2: 'not here (the home folder, the root, a part of a project), or wrong usage',
  };
  static override choices = { HOW: CARRIERS, WHAT: WRAP };
  static override busy = '';
  static override usage = Command.Usage({
    category: 'Start',
    description: 'Set ben10 up in this project.',
    details: `
      Puts hooks into .claude/settings.local.json and the MCP server into .mcp.json, writes .ben10/config.yaml, and lets git
      ignore them on this machine (.git/info/exclude): git status stays as it was. A .mcp.json that git has is not changed.
      The rest of these files stays as it is, to the byte. Running it twice is the same as once. A settings
      file that cannot be parsed is not changed; the message says where it is broken.

      With \`--shared\` the hooks go to .claude/settings.json, for the whole team. Where ben10 is not installed they do
      nothing and print nothing. \`--local\` starts this copy of ben10 by its path, and \`--user\` records all your projects,
      each in a journal of its own; both change nothing that others get.

      It adds a status line (\`ben10 statusline\`) and the slash commands /checkpoint, /handoff, /orient, /shard and /ralph, where there are
      none: yours stay. A name that is taken becomes /ben10-NAME.

      The first time, init asks on a terminal for the project's type and for a hint to agents (the settings
      workspace.project.type and workspace.hints.default).

      \`--hooks\` says how tool calls are recorded: by a command in the background (the default), or by the MCP server
      (mcp), which starts no process, but fails on the screen when the server is not connected.

      \`--uninstall\` removes what init added; with \`--local\` only your own part, if others share the rest. The journal
      stays. Sections that become empty are removed, unless they were there before.
    `,
    examples: [
      ['Set it up', '$0 init'],
      ['See what it would change', '$0 init --dry-run'],
      ['For the whole team', '$0 init --shared'],
      ['For all your projects', '$0 init --user'],
      ['Remove it again', '$0 init --uninstall'],
    ],
  });

  hooks = Option.String('--hooks', 'command', {
    description: '<HOW> How tool calls are recorded: command or mcp.',
  });
  shared = Option.Boolean('--shared', false, {
    description: 'Put the hooks into settings.json, for the whole team.',
  });
  local = Option.Boolean('--local', false, {
    description: 'Start this copy of ben10 by its path.',
  });
  statusline = Option.String('--statusline', {
    description: '<WHAT> wrap: show your own status line, too, on a row of its own.',
  });
  noStatusline = Option.Boolean('--no-statusline', false, {
    description: 'Add no status line.',
  });
  noCommands = Option.Boolean('--no-commands', false, {
    description: 'Add no slash commands.',
  });
  user = Option.Boolean('--user', false, {
    description: 'Record all your projects.',
  });
  here = Option.Boolean('--here', false, {
    description: 'In a folder of a project: make it a project of its own.',
  });
  dryRun = Option.Boolean('--dry-run', false, {
    description: 'Only list what would be changed.',
  });
  diff = Option.Boolean('--diff', false, {
    description: 'The same, with the whole text.',
  });
  uninstall = Option.Boolean('--uninstall', false, {
    description: 'Remove what init added. The journal stays.',
  });

  #asked = false;

  async execute() {
    const plan = this.#plan();
    const isDry = this.dryRun || this.diff;
    const diff = this.diff && !this.json ? await diffLines(plan, this.colours) : [];
    if (!isDry) await this.#apply(plan);
    if (this.json) this.#printJson(plan, isDry);
    else if (isDry) this.#printDry(plan, diff);
    else this.#printDone(plan);
    return EXIT.ok;
  }

  #plan(): SetupPlan {
    const carrier = oneOf('--hooks', this.hooks, CARRIERS);
    const wrap = this.statusline && oneOf('--statusline', this.statusline, WRAP);
    const { cwd: projectDir, env } = this.context;
    const { local, shared, user, uninstall } = this;
    this.#refuseBoth();
    const home = homeFolder(env);
    const binary: Binary = local ? thisCopy() : { command: 'ben10' };
    const clientDir = clientFolder(env, home);
    if (user) return planUser(clientDir, uninstall);
    if (uninstall) return planUninstall({ projectDir, local, clientDir });
    refusePlace(projectDir, home, this.here);
    return planInit({
      ...{ projectDir, carrier, shared, binary, clientDir },
      ...(!this.noStatusline && { statusLine: wrap === undefined ? 'add' : 'wrap' }),
      commands: !this.noCommands,
    });
  }

  /** Each of these says where the hooks go. */
  #refuseBoth(): void {
    const { shared, local, user } = this;
    const places = Object.entries({ shared, local, user }).filter(([, isSaid]) => isSaid);
    if (places.length < 2 && !(user && this.hooks === 'mcp')) return;
    const [one, other = 'hooks mcp'] = places.map(([name]) => name);
    throw new Ben10Error('USAGE', `--${one} and --${other} exclude each other`, {
      next: `Run it with one of the two.`,
    });
  }

  async #apply(plan: SetupPlan): Promise<void> {
    applyPlan(plan);
    if (this.user) this.#setUserServer(plan);
    if (this.uninstall || this.user) return;
    const { projectDir, edits } = plan;
    const isFirst = edits.some(({ file, action }) => file === CONFIG_FILE && action === 'create');
    if (isFirst && !this.json && canAsk(this.context)) {
      this.#asked = true;
      const answers = await askAboutProject(this.context, detectProjectType(projectDir));
      for (const [name, value] of Object.entries(answers)) this.#set(projectDir, name, value);
    }
    compileSettings({ projectDir, env: this.context.env });
  }

  #setUserServer({ notes }: SetupPlan): void {
    const { env } = this.context;
    if (setUserServer(this.uninstall, homeFolder(env), env)) return;
    const why = this.uninstall ? 'To remove the server, too' : "For the model's tools";
    notes.push(`${why}: ${userServerCommand(this.uninstall)}`);
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

  #printJson({ projectDir, edits, notes }: SetupPlan, dryRun: boolean): void {
    const files = edits.map(({ folder, file, action, why, isShared = false }) => ({
      file: folder === undefined ? file : path.join(folder, file),
      action,
      why,
      isShared,
    }));
    this.printJson({ projectDir, uninstall: this.uninstall, dryRun, files, notes });
  }

  #printDry(plan: SetupPlan, diff: readonly string[]): void {
    const lines = editLines(plan, true);
    if (lines.length === 0) this.print('Nothing would change.');
    else {
      const more = diff.length > 0 ? ['', ...diff] : [];
      const end = 'Nothing was changed yet. See all of it: --diff. Apply it: without --dry-run.';
      this.print(...lines, ...more, '', ...this.#sharing(plan), end);
    }
    this.#printNotes(plan);
  }

  #sharing(plan: SetupPlan): string[] {
    return this.uninstall || this.user ? [] : [wrap(sharingLine(plan))];
  }

  #printDone(plan: SetupPlan): void {
    const { green, bold } = this.colours;
    const lines = editLines(plan, false);
    const where = this.user ? 'all your projects' : plan.projectDir;
    if (lines.length === 0) this.print(`Nothing had to be changed in ${where}.`);
    else {
      const what = this.uninstall ? 'ben10 was removed from' : 'ben10 is set up in';
      const sharing = this.#sharing(plan).flatMap((line) => ['', line]);
      this.print(green(`${what} ${where}`), '', ...lines, ...sharing);
    }
    this.#printType(plan);
    this.#printNotes(plan);
    if (this.uninstall)
      this.print('', 'Running sessions keep their hooks until they are restarted.');
    else this.print('', bold('What next'), ...nextLines(this.user));
  }

  #printType({ projectDir }: SetupPlan): void {
    const isApart = this.uninstall || this.user || this.#asked;
    const found = isApart ? undefined : detectProjectType(projectDir);
    if (found === undefined) return;
    this.print(
      '',
      `Project type: ${found.type}, because of ${found.because} (change it with workspace.project.type).`,
    );
  }

  #printNotes({ notes }: SetupPlan): void {
    for (const note of notes) this.print('', this.colours.yellow(wrap(`Note: ${note}`)));
  }
}

/** The running program, by its path. */
const thisCopy = (): Binary => ({
  node: process.execPath,
  script: path.join(__dirname, 'ben10.cjs'),
});
