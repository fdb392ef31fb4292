import path from 'node:path';
import { Command, Option } from 'clipanion';
import { carryOut, isNoChange, type Planned, planned } from '../../packs/portable/import.ts';
import type { PortableArtifact } from '../../packs/portable/portable.ts';
import { readPacks } from '../../packs/portable/read.ts';
import { nodeFs } from '../../platform/fs.ts';
import { withVisible } from '../../projections/safe-text.ts';
import { Ben10Command, EXIT, type Exit } from '../command.ts';
import { withWriting } from '../open.ts';
import { confirmed } from '../ui/confirm.ts';
import { optionWords, policyLine } from '../ui/packs.ts';
import { canAsk } from '../ui/project-questions.ts';

export class PackImportCommand extends Ben10Command {
  static override paths = [['pack', 'import']];
  static override exits = {
    0: 'taken, or there was nothing to change',
    1: 'not taken: the file has a mistake, or nobody agreed',
  };
  static override usage = Command.Usage({
    description: 'Take packs from a file.',
    details: `
      Reads what \`ben10 pack export\` wrote, and a \`ctx.toml\`. It shows what would change, and asks. A pack of the same name becomes
      as in the file; other packs stay. All of a file is taken, or nothing.

      A file may come from anybody: it can neither allow sensitive files nor bring what a command printed. To run a command of
      it: \`ben10 pack capture\`.

      With \`--json\`: {"taken", "packs": [{"name", "new", "policy", "added", "removed", "notes"}]}.
    `,
    examples: [
      ['Look at it, and decide', '$0 pack import ben10.packs.yaml'],
      ['In a script', '$0 pack import ben10.packs.yaml --yes'],
    ],
  });

  file = Option.String({ name: 'file' });
  yes = Option.Boolean('--yes', false, { description: 'Take it without asking.' });

  async execute(): Promise<Exit> {
    const packs = await readPacks(nodeFs, path.resolve(this.context.cwd, this.file));
    return withWriting(this.context, async (project) => {
      const plan = planned(project, packs);
      const isNothing = plan.every(isNoChange);
      if (!this.json) this.print(...plan.flatMap(planLines));
      if (!isNothing && !(await this.#isAgreed())) {
        if (this.json) this.#tell(plan, false);
        else this.print('', 'Nothing was changed. To take it, run the same with --yes.');
        return EXIT.notSo;
      }
      carryOut(project, plan, 'cli');
      if (this.json) this.#tell(plan, true);
      else this.print(isNothing ? 'All of it is here already.' : this.colours.green('Taken.'));
      return EXIT.ok;
    });
  }

  async #isAgreed(): Promise<boolean> {
    if (this.yes || this.json || !canAsk(this.context)) return this.yes;
    return confirmed(this.context, 'Take it?');
  }

  #tell(plan: readonly Planned[], taken: boolean): void {
    const packs = plan.map(({ pack: { name, policy, notes }, isNew, removed, added }) => ({
      name,
      new: isNew,
      policy,
      added: added.map(({ source, priority }) => ({ source, priority })),
      removed: removed.map(({ source }) => source),
      notes,
    }));
    this.printJson({ taken, packs });
  }
}

function planLines(plan: Planned): string[] {
  const { pack, isNew, isNewPolicy, removed, added } = plan;
  const { name, policy, notes } = pack;
  const what = isNew ? 'is new' : isNoChange(plan) ? 'stays as it is' : 'changes';
  return [
    `Pack ${name} ${what}.`,
    ...(isNew || isNewPolicy ? [` ${policyLine(name, policy)}`] : []),
    ...removed.map((one) => ` - ${lineOf(one)}`),
    ...added.map((one) => ` + ${lineOf(one)}`),
    ...notes.map((note) => ` ! ${note}`),
    ...(added.some(({ kind }) => kind === 'cmd')
      ? [` ! Its commands were not run: ben10 pack capture ${name}`]
      : []),
  ];
}

const lineOf = ({ source, priority, options }: PortableArtifact): string =>
  [withVisible(source), ...optionWords(options), `priority ${priority}`].join('  ');
