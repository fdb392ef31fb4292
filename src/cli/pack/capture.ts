import { Command, Option } from 'clipanion';
import { artifactIn } from '../../packs/change.ts';
import { packNamed, packsAt } from '../../packs/of-project.ts';
import { Ben10Error } from '../../platform/errors.ts';
import type { Project } from '../../project/open.ts';
import type { ArtifactRecord } from '../../projections/folds/packs.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { Ben10Command, EXIT, type Exit } from '../command.ts';
import { withWriting } from '../open.ts';
import { artifactLines } from '../ui/packs.ts';
import { areAgreed, captureAll, capturedText, TIMEOUT, timeoutOf, YES } from './capturing.ts';

export class PackCaptureCommand extends Ben10Command {
  static override paths = [['pack', 'capture']];
  static override exits = {
    0: 'the commands were run, whatever their own exit codes',
    1: 'you said no, or there is no such pack or command',
  };
  static override words = ['packs'] as const;
  static override busy = 'running the commands';
  static override usage = Command.Usage({
    description: 'Run commands of a pack, and keep what they print.',
    details: `
      ARTIFACT is a \`cmd:\` source of the pack as it was added, or the start of its id; without any, all of them are run. Nothing else runs them:
      a render gives what was kept. It asks first; where nobody can be asked it needs \`--yes\`.

      A command runs in a shell, without input, in its folder (\`pack add --cwd\`). At the time limit it is ended with all that it
      started. Of what it prints the first 64 KiB and the last 192 KiB are kept; secrets are redacted before that.

      With \`--json\` a list of {"name", "artifact", "command", "cwd", "exit", "signal", "ms", "bytes", "cut", "lines", "secrets"}.
    `,
    examples: [
      ['All commands of a pack', '$0 pack capture auth'],
      ['One, for up to five minutes', "$0 pack capture auth 'cmd:npm test' --timeout 300"],
    ],
  });

  name = Option.String({ name: 'name' });
  artifacts = Option.Rest({ name: 'artifact' });
  yes = Option.Boolean('--yes', false, YES);
  timeout = Option.String('--timeout', TIMEOUT);

  async execute(): Promise<Exit> {
    return withWriting(this.context, async (project) => {
      const chosen = chosenOf(project, this.name, this.artifacts);
      const timeoutS = timeoutOf(project, this.timeout);
      if (!this.yes && !(await areAgreed(this.context, chosen, timeoutS))) {
        this.note('Nothing was run.');
        return EXIT.notSo;
      }
      const all = await captureAll(this.context, project, this.name, chosen, timeoutS);
      return this.answer(all, () =>
        artifactLines(
          chosen.map((artifact, at) => ({ artifact, sign: '', about: capturedText(all[at]!) })),
        ),
      );
    });
  }
}

/** @throws Ben10Error PACK_NOT_FOUND, USAGE */
function chosenOf(project: Project, name: string, given: readonly string[]): ArtifactRecord[] {
  const state = packsAt(project);
  const { artifacts } = packNamed(state, name);
  const chosen =
    given.length === 0
      ? artifacts.filter(({ kind }) => kind === 'cmd')
      : given.map((what) => artifactIn(state, name, what));
  const other = chosen.find(({ kind }) => kind !== 'cmd');
  if (other === undefined && chosen.length > 0) return [...new Set(chosen)];
  const what =
    other === undefined ? `pack "${name}" has no command` : `${other.source} is no command`;
  throw new Ben10Error('USAGE', oneLine(what), {
    next: `Add one: ben10 pack add ${name} 'cmd:npm test' --capture`,
  });
}
