import { existsSync } from 'node:fs';
import path from 'node:path';
import { Command, Option } from 'clipanion';
import {
  compileRedaction,
  problemText,
  type RedactionConfig,
} from '../../capture/redaction/index.ts';
import { compileSettings } from '../../platform/compile-settings.ts';
import { explainSetting, settingNow } from '../../platform/config/about.ts';
import { fromArguments } from '../../platform/config/arguments.ts';
import { checkValue, unknownSetting } from '../../platform/config/check.ts';
import { withoutSetting, withSetting } from '../../platform/config/edit.ts';
import { userConfigDir } from '../../platform/config/files.ts';
import { CONFIG_KEYS, type ConfigKey, configKey } from '../../platform/config/keys.ts';
import { originText } from '../../platform/config/origin.ts';
import { changeConfig } from '../../platform/config/write.ts';
import { type LoadedConfig, loadConfig } from '../../platform/config.ts';
import { Ben10Error } from '../../platform/errors.ts';
import { homeOrTop } from '../../platform/home.ts';
import { shellWord } from '../../platform/shell-word.ts';
import { BEN10_DIR } from '../../platform/storage-location.ts';
import { findProject } from '../../project/open.ts';
import { withSeed } from '../../workspace/settings.ts';
import { Ben10Command, EXIT } from '../command.ts';
import { projectOrHere } from '../open.ts';
import { oneOf } from '../ui/arguments.ts';
import { explanation, settingRow, valueText } from '../ui/settings.ts';
import { table } from '../ui/table.ts';

export const CONFIG_ACTIONS = ['list', 'get', 'set', 'unset', 'explain'] as const;

/** Folders to move when the storage location changes. */
const STORED = ['journal', 'blobs', 'checkpoints', 'compaction-snapshots'];

export class ConfigCommand extends Ben10Command {
  static override paths = [['config']];
  static override exits = {
    0: 'printed, or changed',
    1: 'a file has a mistake, or the write failed',
    2: 'wrong usage: an unknown setting, or an invalid value',
  };
  static override words = [CONFIG_ACTIONS, CONFIG_KEYS.map(({ name }) => name)];
  static override usage = Command.Usage({
    category: 'Maintain',
    description: 'Show, explain and change settings.',
    details: `
      - list [SECTION]: all settings, or those of a section, and where each value comes from
      - get KEY: one value
      - explain KEY: what a setting does, and which values it takes
      - set KEY VALUE..., unset KEY: change .ben10/config.yaml (or config.json) of the project; comments stay

      A list takes one argument for each item, or JSON. Hooks use a new value from their next call on; a running MCP
      server has to be restarted.

      Values come from these places; later ones win: the defaults, ~/.config/ben10/config.yaml, .ben10/config.yaml,
      BEN10_* variables. Settings under workspace that are still at their default are taken from a contextkeeper.toml.
    `,
    examples: [
      ['All settings', '$0 config list'],
      ['One value, for a script', '$0 config get recall.maxChars'],
      ['Change a setting of this project', '$0 config set recall.maxChars 4000'],
      ['Set a list', "$0 config set context.excludePatterns '*.log' '.env*' 'secrets/**'"],
      ['Change a setting for all your projects', '$0 config set --user mcp.logLevel warn'],
      ['Go back to the default', '$0 config unset recall.maxChars'],
      ['What does a setting do?', '$0 config explain context.storageLocation'],
    ],
  });

  action = Option.String({ name: 'action' });
  given = Option.Rest({ name: 'args' });
  user = Option.Boolean('--user', false, {
    description: 'Change ~/.config/ben10/config.yaml, which applies to all your projects.',
  });

  async execute() {
    const action = oneOf('config', this.action, CONFIG_ACTIONS);
    const isChange = action === 'set' || action === 'unset';
    if (this.user && !isChange) throw usage('--user is for set and unset');
    if (action === 'list') await this.#list();
    else if (isChange) await this.#change(action);
    else await this.#show(action);
    return EXIT.ok;
  }

  async #list(): Promise<void> {
    this.#refuseMore(1);
    const [section] = this.given;
    const keys = CONFIG_KEYS.filter(
      ({ name }) => section === undefined || `${name}.`.startsWith(`${section}.`),
    );
    if (section !== undefined && keys.length === 0) throw usage(unknownSetting(section));
    const loaded = await this.#shown();
    const settings = keys.map((key) => settingNow(key, loaded));
    this.answer(settings, () => {
      const rows = settings.map((one) => settingRow(one, this.#dir));
      return table(['setting', 'value', 'from'], rows);
    });
  }

  async #show(action: 'get' | 'explain'): Promise<void> {
    this.#refuseMore(1);
    const key = this.#key(action);
    const loaded = await this.#shown();
    const found = action === 'get' ? settingNow(key, loaded) : explainSetting(key, loaded);
    if (this.json) this.printJson(found);
    else if (action === 'get') this.print(valueText(found.value));
    else this.print(...explanation(explainSetting(key, loaded), this.#dir));
  }

  /** Changes the file, compiles it for hooks, and shows the effective value. */
  async #change(action: 'set' | 'unset'): Promise<void> {
    if (action === 'unset') this.#refuseMore(1);
    const key = this.#key(action);
    const edit =
      action === 'set'
        ? this.#setting(key)
        : (file: string, text: string) => withoutSetting(file, text, key);
    const { cwd, env } = this.context;
    const dir = this.user ? projectOrHere(cwd) : findProject(cwd);
    const change = (file: string, text: string) => {
      const after = edit(file, text);
      // Before it is written: the new value may be wrong beside the others.
      const instead = { file, bytes: Buffer.from(after) };
      loadConfig({ projectDir: dir, env, home: this.#home, instead });
      return after;
    };
    const before = this.#load().config.context.storageLocation;
    const { file, isChanged } = this.user
      ? changeConfig(userConfigDir(env, this.#home), change)
      : changeConfig(path.join(dir, BEN10_DIR), change, dir);
    const loaded = compileSettings({ projectDir: dir, env, home: this.#home });
    const now = settingNow(key, await withSeed(dir, loaded));
    const [name, value, from] = settingRow(now, dir);
    this.answer({ ...now, file, changed: isChanged }, () => [`${name}: ${value} (${from})`]);
    this.#noteOverride(action, now.origins.at(-1), file);
    this.#noteMove(before, loaded.config.context.storageLocation);
  }

  /** @throws Ben10Error USAGE for a value that the setting does not take */
  #setting(key: ConfigKey): (file: string, text: string) => string {
    const values = this.given.slice(1);
    if (values.length === 0) {
      throw usage(`a value for ${key.name} is missing`, `ben10 config explain ${key.name}`);
    }
    const value = fromArguments(key, values);
    const [problem] = checkValue(key, value);
    if (problem !== undefined) throw usage(problem.message, `ben10 config explain ${key.name}`);
    // A valid expression may still be refused, for instance because it is too slow.
    const refused = ownRuleProblem(key, value);
    if (refused !== undefined) throw usage(refused, `ben10 config explain ${key.name}`);
    return (file, text) => withSetting(file, text, key, value);
  }

  #noteOverride(
    action: 'set' | 'unset',
    origin: ReturnType<LoadedConfig['originsOf']>[number] | undefined,
    file: string,
  ): void {
    const holds = origin?.kind !== 'default' && origin?.file !== file;
    if (action !== 'set' || origin === undefined || !holds) return;
    const why =
      origin.kind === 'contextkeeper' ? 'a default counts as not set' : `it overrides ${file}`;
    this.note(`The effective value comes from ${originText(origin)}: ${why}.`);
  }

  #noteMove(before: string, now: string): void {
    if (before === now) return;
    const there = STORED.map((name) => `${before}/${name}`).filter((one) =>
      existsSync(path.join(this.#dir, one)),
    );
    if (there.length === 0) return;
    this.note(`The existing journal stays in ${before} and is not read any more.`);
    this.note('To move it, end all sessions first; then:');
    this.note(`  mv -- ${[...there, `${now}/`].map(shellWord).join(' ')}`);
  }

  get #dir(): string {
    return projectOrHere(this.context.cwd);
  }

  get #home(): string {
    return this.context.env.HOME ?? homeOrTop();
  }

  #load(): LoadedConfig {
    return loadConfig({ projectDir: this.#dir, env: this.context.env, home: this.#home });
  }

  /** With the values of a `contextkeeper.toml`. */
  async #shown(): Promise<Awaited<ReturnType<typeof withSeed>>> {
    const shown = await withSeed(this.#dir, this.#load());
    if (this.action === 'list') for (const note of shown.notes) this.note(note);
    return shown;
  }

  #refuseMore(count: number): void {
    if (this.given.length > count)
      throw usage(`config ${this.action} takes ${count} argument at most`);
  }

  #key(action: string): ConfigKey {
    const [name] = this.given;
    if (name === undefined) throw usage(`config ${action}: the name of a setting is missing`);
    const key = configKey(name);
    if (key !== undefined) return key;
    const inside = CONFIG_KEYS.filter((one) => one.name.startsWith(`${name}.`));
    if (inside.length === 0) throw usage(unknownSetting(name));
    throw usage(
      `${name} is a section; its settings are ${inside.map((one) => one.name).join(', ')}`,
    );
  }
}

function ownRuleProblem({ name }: ConfigKey, value: unknown): string | undefined {
  if (name !== 'redaction.patterns') return undefined;
  const [first] = compileRedaction({ patterns: value as RedactionConfig['patterns'] }).problems;
  return first && problemText(first);
}

const usage = (message: string, next = 'ben10 config list'): Ben10Error =>
  new Ben10Error('USAGE', message, { next: `See: ${next}` });
