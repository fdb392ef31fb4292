import { Command, Option } from 'clipanion';
import { compileRedaction, problemText } from '../../capture/redaction/index.ts';
import { erase, planErasure } from '../../erasure/erase.ts';
import { parsePattern } from '../../erasure/pattern.ts';
import type { ErasurePlan } from '../../erasure/plan.ts';
import type { Request } from '../../erasure/request.ts';
import type { Chosen } from '../../erasure/search-seqs.ts';
import { STORED } from '../../journal/erase/resume.ts';
import { loadZstd } from '../../platform/codecs/zstd-write.ts';
import { loadConfig } from '../../platform/config.ts';
import { Ben10Error } from '../../platform/errors.ts';
import type { Project } from '../../project/open.ts';
import { Ben10Command, EXIT, type Exit } from '../command.ts';
import { withWriting } from '../open.ts';
import { doneLines, isEmpty, nothingLines, planLines } from '../ui/erasure.ts';
import { readSecret } from '../ui/secret-input.ts';

export class EraseCommand extends Ben10Command {
  static override paths = [['erase']];
  static override exits = {
    0: 'the plan was shown, or all was erased; also if nothing was found',
    1: 'it failed, something is left, or damaged parts could not be searched',
  };
  static override busy = 'searching the journal';
  static override usage = Command.Usage({
    category: 'Maintain',
    description: 'Erase a leaked secret from the journal for good.',
    details: `
      Without \`--yes\` this only shows the plan. Say what to erase by event numbers (whole events), by a text or a /regular
      expression/ (\`--pattern\`), or by a redaction rule (\`--rule\`). A pattern or a rule erases the secret and keeps the rest
      of the event.

      ben10 searches events, the large texts stored beside them, and the inbox: plain text, JSON escapes, percent encoding,
      base64 and hex. It does not find text that is compressed, encrypted, hashed, split or encoded otherwise. A regular
      expression or a rule sees plain and escaped text; matches of 8 characters or more are then searched in all encodings.

      \`--pattern -\` asks for the text without showing it, or reads it from a pipe. A secret on the command line would
      stay in your shell's history, and other users could see it in the list of processes.

      An erased event leaves a tombstone with its place, time and id, so that the journal still verifies; it contains
      nothing of the text. Stored states are removed and rebuilt, later saves too; the plan names those that cannot be
      rebuilt. Bytes in quarantine are removed. Unread parts of the client's transcripts are recorded first, so that they
      are searched as well and cannot bring the secret back.

      Restart running clients afterwards: their memory, and that of their MCP server, may still hold the text. ben10 cannot
      reach the client's transcripts, backups, disk snapshots, or a git history with .ben10 in it. Change the leaked
      secret where it is used.
    `,
    examples: [
      ['Show what contains a text; asks for the text', '$0 erase --pattern -'],
      ['Erase it', '$0 erase --pattern - --yes'],
      ['From a password manager', 'pass show old-key | $0 erase --pattern - --yes'],
      ['Two events', '$0 erase @120 @121 --yes'],
      ['A range of events', '$0 erase @120..@130 --yes'],
      ['What a redaction rule finds', '$0 erase --rule URL-PASSWORD'],
    ],
  });

  seqs = Option.Rest({ name: 'event' });
  // Arrays, so that a second one is refused instead of replacing the first.
  patterns = Option.Array('--pattern', [], {
    description: '<TEXT> A text or /regular expression/; "-" asks for it, or reads it from a pipe.',
  });
  rules = Option.Array('--rule', [], {
    description: '<RULE> A redaction rule, by its id.',
  });
  yes = Option.Boolean('--yes', false, {
    description: 'Erase. Without it, only the plan is shown.',
  });

  async execute() {
    this.#assertOne();
    return withWriting(this.context, async (project) => {
      const request = await this.#request(project);
      return this.yes ? this.#erase(project, request) : this.#plan(project, request);
    });
  }

  /** @throws Ben10Error USAGE */
  #assertOne(): void {
    const given = Math.min(this.seqs.length, 1) + this.patterns.length + this.rules.length;
    if (given === 1) return;
    const message =
      given > 1
        ? 'give events, one --pattern or one --rule, not several of them'
        : 'nothing to erase was given';
    throw new Ben10Error('USAGE', message, {
      next: 'Give events (@1234), --pattern - or --rule ID; see ben10 erase --help',
    });
  }

  async #request(project: Project): Promise<Request> {
    const {
      patterns: [pattern],
      rules: [rule],
    } = this;
    if (rule !== undefined) {
      const { config } = loadConfig({ projectDir: project.dir, env: this.context.env });
      const { options: redaction, problems } = compileRedaction(config.redaction);
      for (const problem of problems) this.note(problemText(problem));
      return { by: 'rule', rule, redaction };
    }
    if (pattern === undefined) return { by: 'event', ...chosenOf(this.seqs) };
    const { stdin, stderr } = this.context;
    const given = pattern === '-' ? await readSecret(stdin, stderr, 'Text to erase') : pattern;
    return { by: 'pattern', wanted: parsePattern(given) };
  }

  #plan(project: Project, request: Request): Exit {
    const plan = planErasure(project, request);
    if (this.json) this.printJson({ done: false, ...withoutReplacements(plan) });
    else if (isEmpty(plan)) this.print(...nothingLines(plan));
    else {
      this.print('Plan; nothing was changed yet.', '');
      this.print(...planLines(plan), '', 'To erase, run the same command with --yes.');
    }
    return isSearched(request, plan) ? EXIT.ok : EXIT.notSo;
  }

  async #erase(project: Project, request: Request): Promise<Exit> {
    const codecs = { ...(await packing()), decoders: project.decoders };
    const done = erase(project, request, codecs);
    const { plan, left, waiting } = done;
    const isGone = left.every(({ what }) => what === 'settings') && waiting.length === 0;
    const isDone = isGone && isSearched(request, plan);
    if (this.json) this.printJson({ ...done, done: isDone, plan: withoutReplacements(plan) });
    else this.print(...doneLines(done, isDone, this.colours));
    return isDone ? EXIT.ok : EXIT.notSo;
  }
}

/** Without Zstd the rest is stored uncompressed: erasing matters more than size. */
const packing = async () => {
  try {
    return { zstd: await loadZstd() };
  } catch {
    return STORED;
  }
};

const isSearched = ({ by }: Request, { unsearched, unread }: ErasurePlan): boolean =>
  by === 'event' || (unsearched.length === 0 && unread.length === 0);

/** The replaced text is still the event's content. */
function withoutReplacements({ events, ...plan }: ErasurePlan) {
  return {
    ...plan,
    events: events.map(({ replacement, ...event }) => ({
      ...event,
      part: replacement !== undefined,
    })),
  };
}

/** The limit of one erasure. */
export const RANGE_EVENTS_MAX = 50_000;
const RANGE = /^@?(\d{1,15})\.\.@?(\d{1,15})$/;

/** @throws Ben10Error USAGE */
function chosenOf(given: readonly string[]): Chosen {
  const isRange = (text: string) => RANGE.test(text);
  return {
    seqs: given.filter((text) => !isRange(text)).map(seqOf),
    ranges: given.filter(isRange).map(rangeOf),
  };
}

/** `@4..@8` includes both ends. @throws Ben10Error USAGE */
function rangeOf(text: string): [number, number] {
  const [, first, last] = RANGE.exec(text)!.map(Number) as [number, number, number];
  const isRange = first >= 1 && last >= first;
  if (isRange && last - first < RANGE_EVENTS_MAX) return [first, last];
  const most = RANGE_EVENTS_MAX.toLocaleString('en-US');
  const what = isRange ? 'the range is too long' : 'that is not a range of events';
  throw new Ben10Error('USAGE', what, {
    next: `Give the first and the last, as @4..@8: at most ${most} events.`,
  });
}

/** @throws Ben10Error USAGE */
function seqOf(text: string): number {
  const seq = Number(/^@?(\d{1,15})$/.exec(text)?.[1]);
  if (seq >= 1) return seq;
  // Not quoted: the argument may be the secret itself.
  throw new Ben10Error('USAGE', 'expected the number of an event, as @1234', {
    next: 'Find it with ben10 log. To erase a text: ben10 erase --pattern -',
  });
}
