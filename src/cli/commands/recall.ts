import { Command, Option } from 'clipanion';
import type { Ben10Config, WorkspaceSettings } from '../../platform/config/keys.ts';
import { placeOf } from '../../platform/place.ts';
import type { Project } from '../../project/open.ts';
import { estimateTokens } from '../../projections/bounds.ts';
import { heldBefore } from '../../projections/compaction-memory.ts';
import type { Cut } from '../../projections/gather.ts';
import {
  type Explained,
  explainRecall,
  RECALL_SOURCES,
  type Recall,
  type RecallOptions,
  type RecallSource,
  recallText,
} from '../../recall/recall.ts';
import { changedUnderneath } from '../../timetravel/changed-underneath.ts';
import { resolvePoint } from '../../timetravel/resolve.ts';
import { findSession } from '../../timetravel/sessions.ts';
import { recoverySection } from '../../workspace/recovery.ts';
import { Ben10Command, EXIT } from '../command.ts';
import type { Ben10Context } from '../context.ts';
import { withJournal } from '../open.ts';
import { oneOf, optionalNumber } from '../ui/arguments.ts';
import { explainedLines, round } from '../ui/explained.ts';
import { count, plural } from '../ui/format.ts';

/** Moments at which a session gets back its own context. */
const OWN = new Set<RecallSource>(['compact', 'prompt', 'resume']);

/** @throws Ben10Error CONFIG_INVALID */
async function settings({ dir }: Project, { env }: Ben10Context): Promise<Ben10Config> {
  // Brings a YAML parser with it.
  const { loadConfig } = await import('../../platform/config.ts');
  return loadConfig({ projectDir: dir, env }).config;
}

/** The development context that a compacted session gets as well, as recorded in the journal. */
function aroundOf(
  project: Project,
  settings: WorkspaceSettings,
  source: RecallSource,
  asked: { session: string | null | undefined; cut: Cut | undefined; maxChars: number },
): string {
  const session = asked.session ?? project.states.activeSession();
  if (source !== 'compact' || typeof session !== 'string') return '';
  const { cut = {}, maxChars } = asked;
  const place = placeOf(project.dir);
  const held = heldBefore(project.states, session, cut);
  return recoverySection(project, settings, { place, session, cut, held, maxChars });
}

const asData = ({ chars, tokens, items, text }: Recall) => ({
  chars,
  tokens,
  items: items.map(({ kind, text: item, seq }) => ({ kind, text: item, seq })),
  text,
});

function asConsidered({ item, given, inLineOf, why, chars, names }: Explained) {
  const { kind, text, seq, at, worth } = item;
  const parts = Object.fromEntries(
    Object.entries(item.parts).map(([part, value]) => [part, round(value)]),
  );
  return { given, inLineOf, why, kind, text, seq, at, worth: round(worth), parts, chars, names };
}

export class RecallCommand extends Ben10Command {
  static override paths = [['recall']];
  static override exits = {
    0: 'printed, also if there is nothing to give back',
    1: 'the point or session does not exist, or the settings have a mistake',
  };
  static override choices = { MOMENT: RECALL_SOURCES };
  static override usage = Command.Usage({
    category: 'Memory',
    description: 'Show what ben10 gives to the agent at a start or compaction.',
    details: `
      Prints the text that ben10's hooks give to the model: at the start of a session (startup, resume), after a compaction
      (compact), or with the next prompt (prompt) if the compaction's hook could not. Rules come first, then the most
      important items that fit. Each line names its event. This command records nothing.

      With \`--json\`: {"chars", "tokens", "items": [{"kind", "text", "seq"}], "text"}.

      \`--explain\` lists all candidates instead, the most important first, with their worth (base × weight × recency ×
      rarity × reuse + names), age and length, and why each is in or out. With \`--json\` the output also has "budget" and
      "considered": [{"given", "inLineOf", "why", "kind", "text", "seq", "at", "worth", "parts", "chars", "names"}];
      "inLineOf" is the event of another item's line that covers it.
    `,
    examples: [
      ['What would a new session get?', '$0 recall'],
      ['And this one, after a compaction?', '$0 recall --source compact'],
      ['What was there at the last compaction?', '$0 recall --at @compaction:-1 --source compact'],
    ],
  });

  at = Option.String('--at', {
    description: '<POINT> As it was at that point.',
  });
  source = Option.String('--source', 'startup', {
    description: `<MOMENT> ${RECALL_SOURCES.join(', ')}.`,
  });
  session = Option.String('--session', {
    description: '<ID> The session that gets the text; the start of its id is enough.',
  });
  maxChars = Option.String('--max-chars', {
    description: '<N> At most N characters, instead of recall.maxChars.',
  });
  explain = Option.Boolean('--explain', false, {
    description: 'Show all candidates, their worth, and why each is in or out.',
  });

  async execute() {
    const source = oneOf('--source', this.source, RECALL_SOURCES);
    const wanted = optionalNumber('--max-chars', this.maxChars, 1);
    return withJournal(this.context, async (project) => {
      const given =
        this.session === undefined ? {} : { session: findSession(project, this.session) };
      const point = this.at === undefined ? undefined : resolvePoint(project, this.at, given);
      const config = await settings(project, this.context);
      const around = aroundOf(project, config.workspace, source, {
        session: given.session ?? point?.session,
        cut: point?.cut,
        maxChars: wanted ?? config.recall.maxChars,
      });
      const options: RecallOptions = {
        source,
        ...given,
        // A new session gets the context of the one before, in which the point is.
        ...(OWN.has(source) && point?.session && { session: point.session }),
        ...(point !== undefined && { cut: point.cut }),
        // The disk only tells of now.
        ...(point === undefined && { onDisk: (state) => changedUnderneath(project, state) }),
        maxChars: config.recall.maxChars,
        beside: around.length,
        ...(wanted !== undefined && { budget: wanted - around.length }),
      };
      if (this.explain) this.#explain(explainRecall(project, options));
      else {
        const recall = recallText(project, options);
        const text = [recall.text, around].filter(Boolean).join('\n');
        const whole = { ...recall, text, chars: text.length, tokens: estimateTokens(text) };
        if (this.json) this.printJson(asData(whole));
        else this.#print(whole);
      }
      if (!config.context.autoRestore)
        this.note('context.autoRestore is off: hooks give nothing back.');
      return EXIT.ok;
    });
  }

  #explain({ considered, budget, ...recall }: ReturnType<typeof explainRecall>): void {
    if (this.json) {
      this.printJson({ ...asData(recall), budget, considered: considered.map(asConsidered) });
      return;
    }
    if (considered.length === 0) {
      this.note('There is nothing to give back.');
      return;
    }
    const all = { ...recall, considered, budget };
    this.print(...explainedLines(all, this.width, Date.now()));
  }

  #print({ chars, tokens, items, text }: Recall): void {
    if (text === '') {
      this.note('There is nothing to give back.');
      return;
    }
    this.print(text);
    const size = `${count(chars)} characters, about ${plural(tokens, 'token')}`;
    this.note(this.colours.dim(`${plural(items.length, 'item')}, ${size}`));
  }
}
