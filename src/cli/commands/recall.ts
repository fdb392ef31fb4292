import { Command, Option } from 'clipanion';
import type { Ben10Config } from '../../platform/config/keys.ts';
import type { Project } from '../../project/open.ts';
import { RECALL_SOURCES, type Recall, type RecallSource, recallText } from '../../recall/recall.ts';
import { changedUnderneath } from '../../timetravel/changed-underneath.ts';
import { resolvePoint } from '../../timetravel/resolve.ts';
import { findSession } from '../../timetravel/sessions.ts';
import { Ben10Command, EXIT } from '../command.ts';
import type { Ben10Context } from '../context.ts';
import { withJournal } from '../open.ts';
import { oneOf, wholeNumber } from '../ui/arguments.ts';
import { count, plural } from '../ui/format.ts';

/** Moments at which a session gets back what it held itself. */
const OWN = new Set<RecallSource>(['compact', 'prompt', 'resume']);

/** @throws Ben10Error CONFIG_INVALID */
async function settings({ dir }: Project, { env }: Ben10Context): Promise<Ben10Config> {
  // Brings a YAML parser with it.
  const { loadConfig } = await import('../../platform/config.ts');
  return loadConfig({ projectDir: dir, env }).config;
}

export class RecallCommand extends Ben10Command {
  static override paths = [['recall']];
  static override exits = {
    0: 'printed, also when there is nothing to give back',
    1: 'there is no such point or session, or the settings have a mistake',
  };
  static override usage = Command.Usage({
    category: 'Look at what was recorded',
    description: 'Show what would be given back to an agent that has forgotten.',
    details: `
      Prints exactly the text that ben10's hooks put before the model: at the start of a session, after a compaction
      (compact), or with the prompt after that (prompt), when a compaction is still owed one. Rules first, then the most
      valuable sections, within its budget; every line names the event that shows it. Nothing is recorded by this
      command.

      With \`--json\` it is {"chars", "tokens", "items": [{"kind", "text", "seq"}], "text"}.
    `,
    examples: [
      ['What would a new session start with?', '$0 recall'],
      ['What would it get back if it were compacted now?', '$0 recall --source compact'],
      [
        'What was there to give back at the last compaction?',
        '$0 recall --at @compaction:-1 --source compact',
      ],
    ],
  });

  at = Option.String('--at', {
    description: '<POINT> As it would have been at a point of the past.',
  });
  source = Option.String('--source', 'startup', {
    description: `<MOMENT> ${RECALL_SOURCES.join(', ')}.`,
  });
  session = Option.String('--session', {
    description: '<ID> The session that is spoken to; the start of its id will do.',
  });
  maxChars = Option.String('--max-chars', {
    description:
      '<N> At most so many characters, in place of what the moment and recall.maxChars allow.',
  });

  async execute() {
    const source = oneOf('--source', this.source, RECALL_SOURCES);
    const wanted =
      this.maxChars === undefined ? undefined : wholeNumber('--max-chars', this.maxChars, 1);
    return withJournal(this.context, async (project) => {
      const given =
        this.session === undefined ? {} : { session: findSession(project, this.session) };
      const point = this.at === undefined ? undefined : resolvePoint(project, this.at, given);
      const { recall: limits, context } = await settings(project, this.context);
      const recall = recallText(project, {
        source,
        ...given,
        // A new session gets what the one before it held, and a point is in that one.
        ...(OWN.has(source) && point?.session && { session: point.session }),
        ...(point !== undefined && { cut: point.cut }),
        // The disk is as it is now, not as it was at a point of the past.
        ...(point === undefined && { onDisk: (state) => changedUnderneath(project, state) }),
        maxChars: limits.maxChars,
        ...(wanted !== undefined && { budget: wanted }),
      });
      if (this.json) this.#printJson(recall);
      else this.#print(recall);
      if (!context.autoRestore)
        this.note('The setting context.autoRestore is off: hooks give nothing back.');
      return EXIT.ok;
    });
  }

  #printJson({ chars, tokens, items, text }: Recall): void {
    this.printJson({
      chars,
      tokens,
      items: items.map(({ kind, text: item, seq }) => ({ kind, text: item, seq })),
      text,
    });
  }

  #print({ chars, tokens, items, text }: Recall): void {
    if (text === '') {
      this.note('There is nothing to give back at this moment.');
      return;
    }
    this.print(text);
    const size = `${count(chars)} characters, about ${plural(tokens, 'token')}`;
    this.note(this.colours.dim(`${plural(items.length, 'item')}, ${size}`));
  }
}
