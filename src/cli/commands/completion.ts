import { Command, Option } from 'clipanion';
import { newestNames } from '../../log/names.ts';
import { packsAt } from '../../packs/of-project.ts';
import { findProject, openProject } from '../../project/open.ts';
import { Ben10Command, EXIT } from '../command.ts';
import { COMMANDS, loadAll, VERBS } from '../commands.ts';
import { oneOf } from '../ui/arguments.ts';
import {
  type AllNames,
  type Candidate,
  completionsOf,
  fitting,
  NO_NAMES,
} from '../ui/completing.ts';
import { SCRIPTS, SHELLS } from '../ui/completion.ts';

/** How long a shell waits for names from the journal. */
const READ_MS = 200;

export class CompletionCommand extends Ben10Command {
  static override paths = [['completion']];
  static override exits = { 0: 'printed', 1: 'not used' };
  static override words = [SHELLS];
  static override busy = '';
  static override usage = Command.Usage({
    category: 'Maintain',
    description: 'Print a script that completes commands, options and values.',
    details: `
      - bash: add \`source <(ben10 completion bash)\` to ~/.bashrc
      - zsh: add \`source <(ben10 completion zsh)\` to ~/.zshrc, after compinit
      - fish: ben10 completion fish > ~/.config/fish/completions/ben10.fish

      The script asks ben10 at each TAB, with the words behind \`--\`: points, saves, sessions and snapshots come from the newest part
      of the journal. Nothing is written.
    `,
    examples: [
      ['In the current bash', 'source <($0 completion bash)'],
      ['For fish', '$0 completion fish > ~/.config/fish/completions/ben10.fish'],
      ['What can follow?', '$0 completion bash -- restore @s'],
    ],
  });

  shell = Option.String({ name: 'shell' });
  line = Option.Rest({ name: 'words' });

  async execute() {
    const shell = oneOf('SHELL', this.shell, SHELLS);
    const script = SCRIPTS[shell];
    if (this.line.length > 0) {
      const found = await this.#complete();
      if (this.json) this.printJson(found);
      else for (const { value, about } of found) this.print(`${value}\t${about}`);
      return EXIT.ok;
    }
    if (this.json) this.printJson({ shell, script });
    else this.context.stdout.write(script);
    return EXIT.ok;
  }

  async #complete(): Promise<Candidate[]> {
    const [name = '', ...words] = this.line;
    const isHelp = name === 'help' && words.length === 1;
    if (words.length === 0 || isHelp) return namesOf(COMMANDS, isHelp ? words[0]! : name);
    const verbs = Object.hasOwn(VERBS, name) ? VERBS[name]! : {};
    const [verb = '', ...rest] = words;
    if (Object.hasOwn(verbs, verb) && rest.length > 0)
      return completionsOf(await verbs[verb]!(), rest, () => this.#names());
    const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (load === undefined || (Object.keys(verbs).length > 0 && words.length > 1)) return [];
    const found = await namesOf(verbs, verb);
    return found.length > 0 ? found : completionsOf(await load(), words, () => this.#names());
  }

  #names(): AllNames {
    const { cwd, env } = this.context;
    const until = this.context.now() + READ_MS;
    try {
      const project = openProject(findProject(cwd), { lockBudgetMs: 0, readOnly: true, env });
      const state = packsAt(project);
      const packs = Object.entries(state.packs).map(([name, { createdAt: at }]) => ({ name, at }));
      const kept = Object.values(state.snapshots).map((one) => ({
        name: one.label ?? one.id,
        at: one.createdAt,
      }));
      const others = newestNames(project, () => this.context.now() > until);
      return { ...others, packs, packSnapshots: [...packs, ...kept.reverse()] };
    } catch {
      return NO_NAMES; // no project, or no sound journal: at a TAB there is no place for an error
    }
  }
}

async function namesOf(table: typeof COMMANDS, typed: string): Promise<Candidate[]> {
  const all = [...(await loadAll(table))].map(([value, { usage }]) => ({
    value,
    about: usage?.description ?? '',
  }));
  return fitting(all, typed);
}
