import { Command, Option } from 'clipanion';
import type { Ben10Config, WorkspaceSettings } from '../../platform/config/keys.ts';
import type { Project } from '../../project/open.ts';
import { estimateTokens, headOf } from '../../projections/bounds.ts';
import { heldBefore } from '../../projections/compaction-memory.ts';
import type { Cut } from '../../projections/gather.ts';
import { oneLine } from '../../projections/safe-text.ts';
import {
  type Explained,
  explainRecall,
  RECALL_SOURCES,
  type Recall,
  type RecallOptions,
  type RecallSource,
  recallText,
} from '../../recall/recall.ts';
import { ageOfItem } from '../../recall/render.ts';
import { changedUnderneath } from '../../timetravel/changed-underneath.ts';
import { resolvePoint } from '../../timetravel/resolve.ts';
import { findSession } from '../../timetravel/sessions.ts';
import { placeOf } from '../../workspace/place.ts';
import { recoverySection } from '../../workspace/recovery.ts';
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

/** What a compacted session gets beside it: the development context, as far as the journal has it. */
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

const round = (value: number): number => Math.round(value * 100) / 100;

function asConsidered({ item, given, inLineOf, why, chars, names }: Explained) {
  const { kind, text, seq, at, worth } = item;
  const parts = Object.fromEntries(
    Object.entries(item.parts).map(([part, value]) => [part, round(value)]),
  );
  return { given, inLineOf, why, kind, text, seq, at, worth: round(worth), parts, chars, names };
}

const SHOWN_CHARS = 160;

function explainedLine({ item, given, inLineOf, why, chars, names }: Explained): string {
  const { kind, text, seq, worth, parts } = item;
  const { base, weight, recency, rarity, reuse } = parts;
  const factors = [base, weight, recency, rarity, reuse].map((part) => String(round(part)));
  const made = `${factors.join(' × ')} + ${round(parts.names)}`;
  const what = text === '' ? '(names)' : headOf(oneLine(text), SHOWN_CHARS);
  const more = names === 0 ? '' : `, with ${plural(names, 'name')}`;
  const fate = (given ? 'in' : `out: ${why}`).padEnd(12);
  const size =
    inLineOf === null ? `${chars} characters${more}` : `told by the line of @${inLineOf}`;
  const age = ageOfItem(item, Date.now());
  const event = age === '' ? `@${seq}` : `@${seq} ${age}`;
  return `${fate}  ${worth.toFixed(1).padStart(5)} = ${made}  ${kind}  ${event} ${what} (${size})`;
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
      valuable sections, within its budget; every line names the event that shows it, and the first sentence says how old
      these are. Nothing is recorded by this command.

      With \`--json\` it is {"chars", "tokens", "items": [{"kind", "text", "seq"}], "text"}.

      With \`--explain\` it is everything that there was to choose from instead, the most valuable first: what it is worth and of
      what that is made up (base × weight × recency × rarity × reuse + names), how old and how long it is, and why it is in or out. With \`--json\` as well, the JSON has "budget" and
      "considered": [{"given", "inLineOf", "why", "kind", "text", "seq", "at",
      "worth", "parts", "chars", "names"}] besides; "inLineOf" is the event of another item's line that tells it.
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

  explain = Option.Boolean('--explain', false, {
    description: 'Show every item, what it is worth, and why it is in or out.',
  });

  async execute() {
    const source = oneOf('--source', this.source, RECALL_SOURCES);
    const wanted =
      this.maxChars === undefined ? undefined : wholeNumber('--max-chars', this.maxChars, 1);
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
        // A new session gets what the one before it held, and a point is in that one.
        ...(OWN.has(source) && point?.session && { session: point.session }),
        ...(point !== undefined && { cut: point.cut }),
        // The disk is as it is now, not as it was at a point of the past.
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
        this.note('The setting context.autoRestore is off: hooks give nothing back.');
      return EXIT.ok;
    });
  }

  #explain({ considered, budget, ...recall }: ReturnType<typeof explainRecall>): void {
    if (this.json) {
      this.printJson({ ...asData(recall), budget, considered: considered.map(asConsidered) });
      return;
    }
    if (considered.length === 0) {
      this.note('There is nothing to give back at this moment.');
      return;
    }
    const given = considered.filter((one) => one.given).length;
    const size = `${count(recall.chars)} of ${count(budget)} characters`;
    this.print(`${given} of ${plural(considered.length, 'item')} are given back, in ${size}.`, '');
    for (const one of considered) this.print(explainedLine(one));
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
