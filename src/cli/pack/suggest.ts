import { Command, Option } from 'clipanion';
import { addSources } from '../../packs/change.ts';
import { fileSource } from '../../packs/render/source.ts';
import { pathsAsked, suggest } from '../../packs/use/suggest.ts';
import { Ben10Error } from '../../platform/errors.ts';
import { Ben10Command, type Exit } from '../command.ts';
import { withJournal, withWriting } from '../open.ts';
import { optionalNumber } from '../ui/arguments.ts';
import { artifactLines } from '../ui/packs.ts';
import { suggestionLines } from '../ui/suggestions.ts';

const LIMIT_DEFAULT = 10;
const LIMIT_MAX = 200;

export class PackSuggestCommand extends Ben10Command {
  static override paths = [['pack', 'suggest']];
  static override exits = { 0: 'suggested, if only nothing', 1: 'there is no such pack or file' };
  static override words = ['packs', 'files'] as const;
  static override usage = Command.Usage({
    description: 'Suggest files that belong to a pack, or to a file, and say why.',
    details: `
      What is known: files that agents edited or read in one turn; files that the same sessions named lately, in prompts, messages,
      commands and answers; commits; imports (JavaScript, TypeScript, Python, Rust, Go); files that a session opened soon after it was
      given the pack. Sensitive, generated and ignored files are never suggested. Tokens are estimates.

      With \`--json\`: {"suggestions": [{"file", "score", "tokens", "why": {"edited": {"with", "turns", "of", "seqs"}, "readBefore",
      "opened", "named", "commitsLately", "commits", "importedBy", "imports", "beside", "missed"}}], "added": [ARTIFACT]}; score is from 0 to 1.
    `,
    examples: [
      ['What is missing in a pack?', '$0 pack suggest auth'],
      ['Add the best two', '$0 pack suggest auth --apply 2'],
      ['What belongs to a file?', '$0 pack suggest src/auth/session.ts'],
    ],
  });

  name = Option.String({ name: 'pack' });
  limit = Option.String('--limit', {
    description: `<N> The best N; by default ${LIMIT_DEFAULT}.`,
  });
  apply = Option.String('--apply', { description: '<K> Add the best K to the pack.' });

  async execute(): Promise<Exit> {
    const { name } = this;
    const limit = optionalNumber('--limit', this.limit, 1, LIMIT_MAX) ?? LIMIT_DEFAULT;
    const most = optionalNumber('--apply', this.apply, 1, LIMIT_MAX) ?? 0;
    const opened = most > 0 ? withWriting : withJournal;
    return opened(this.context, async (project) => {
      const { files, isPack, missed } = await pathsAsked(project, name);
      if (most > 0 && !isPack) {
        throw new Ben10Error('USAGE', '--apply needs the name of a pack', {
          next: 'Without --apply, files are suggested only.',
        });
      }
      const suggestions = await suggest(project, files, { limit: Math.max(limit, most), missed });
      const best = suggestions.slice(0, most).map(({ file }) => fileSource(file));
      const added = best.length === 0 ? [] : await addSources(project, name, best, {}, 'cli');
      return this.answer({ suggestions, added }, () =>
        added.length > 0
          ? artifactLines(added.map((artifact) => ({ artifact, sign: '+' })))
          : suggestionLines(suggestions),
      );
    });
  }
}
