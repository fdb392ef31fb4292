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
    0: 'the plan was shown, or it was done; also when nothing was found',
    1: 'it failed, something is left, or the journal is damaged and not all of it can be searched',
  };
  static override usage = Command.Usage({
    category: 'Keep it in order',
    description: 'Erase a leaked secret from the journal for good.',
    details: `
      Shows what it would do, and does it with \`--yes\`. Events are given by their seqs (all of each goes), by a text
      or a /regular expression/ (\`--pattern\`), or by a redaction rule (\`--rule\`): of what these find, only the
      secret goes and the rest of the event stays. It is found in events, in texts beside them, and in what waits in the
      inbox: plain, with escapes of JSON, percent-encoded, in base64 and in hex. It is not found compressed, encrypted,
      hashed, cut into pieces, or in other encodings. A pattern or a rule is met with plain and escaped text; what it finds
      of 8 characters or more is then found in every form.

      \`--pattern -\` asks for the text without showing it, or reads it from a pipe: a shell keeps what is typed on its
      command line in its history, and other users can see it there while it runs.

      What is left of an event is a tombstone: its place, its time and its id, so that the journal still verifies. Nothing
      in it helps to guess what was there. Stored states are removed and made again. Saves from then on go as well; the plan
      names those that cannot be made again. Bytes that a repair put aside are removed. What the client's transcripts hold and
      no hook has brought yet is recorded first, so that it is searched too and nothing brings it back.

      Restart running clients afterwards: their memory, and that of the server they started, may still hold the text.
      It cannot reach the client's own transcripts, backups, snapshots of the disk, or a git history that has .ben10 in
      it. Whatever was leaked has to be changed where it is valid: erasing it does not make it secret again.
    `,
    examples: [
      ['What holds it? You are asked for it', '$0 erase --pattern -'],
      ['Erase it', '$0 erase --pattern - --yes'],
      ['From a password manager', 'pass show old-key | $0 erase --pattern - --yes'],
      ['Two events', '$0 erase @120 @121 --yes'],
      ['All that there is from one to another', '$0 erase @120..@130 --yes'],
      ['What a redaction rule finds today', '$0 erase --rule URL-PASSWORD'],
    ],
  });

  seqs = Option.Rest({ name: 'event' });
  // Lists, though one is taken: of two of them the first would be passed over, and called erased.
  patterns = Option.Array('--pattern', [], {
    description:
      '<TEXT> What holds this text or /pattern/; "-" asks for it, or reads it from a pipe.',
  });
  rules = Option.Array('--rule', [], {
    description: '<ID> What this redaction rule finds now.',
  });
  yes = Option.Boolean('--yes', false, {
    description: 'Do it. Without it the plan is shown, and nothing is changed.',
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
        : 'what is to be erased?';
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
    const given =
      pattern === '-' ? await readSecret(stdin, stderr, 'What is to be erased?') : pattern;
    return { by: 'pattern', wanted: parsePattern(given) };
  }

  #plan(project: Project, request: Request): Exit {
    const plan = planErasure(project, request);
    if (this.json) this.printJson({ done: false, ...withoutReplacements(plan) });
    else if (isEmpty(plan)) this.print(...nothingLines(plan));
    else {
      this.print('This is what ben10 erase would do. Nothing was changed yet.', '');
      this.print(...planLines(plan), '', 'To do it, say the same again with --yes.');
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

/** That a secret is gone matters more than how small the rest is. */
const packing = async () => {
  try {
    return { zstd: await loadZstd() };
  } catch {
    return STORED;
  }
};

/** Who knows the events by their seqs does not look for anything. */
const isSearched = ({ by }: Request, { unsearched, unread }: ErasurePlan): boolean =>
  by === 'event' || (unsearched.length === 0 && unread.length === 0);

/** What stands for an event is still its content. */
function withoutReplacements({ events, ...plan }: ErasurePlan) {
  return {
    ...plan,
    events: events.map(({ replacement, ...event }) => ({
      ...event,
      part: replacement !== undefined,
    })),
  };
}

/** Events that one range may name: as many as one erasure asks for at once. */
export const RANGE_EVENTS_MAX = 50_000;
const RANGE = /^@?(\d{1,15})\.\.@?(\d{1,15})$/;

/** Seqs one by one, and ranges of them. @throws Ben10Error USAGE */
function chosenOf(given: readonly string[]): Chosen {
  const isRange = (text: string) => RANGE.test(text);
  return {
    seqs: given.filter((text) => !isRange(text)).map(seqOf),
    ranges: given.filter(isRange).map(rangeOf),
  };
}

/** `@4..@8` is all that there is of them, both ends too. @throws Ben10Error USAGE */
function rangeOf(text: string): [number, number] {
  const [, first, last] = RANGE.exec(text)!.map(Number) as [number, number, number];
  const isRange = first >= 1 && last >= first;
  if (isRange && last - first < RANGE_EVENTS_MAX) return [first, last];
  const most = RANGE_EVENTS_MAX.toLocaleString('en-US');
  throw new Ben10Error(
    'USAGE',
    isRange ? 'those are too many events' : 'that is no range of events',
    {
      next: `Give the first and the last, as @4..@8: at most ${most} events.`,
    },
  );
}

/** @throws Ben10Error USAGE */
function seqOf(text: string): number {
  const seq = Number(/^@?(\d{1,15})$/.exec(text)?.[1]);
  if (seq >= 1) return seq;
  // What was typed may be the secret itself: it is not repeated.
  throw new Ben10Error('USAGE', 'an event is given by its seq, as @1234', {
    next: 'Find it with ben10 log. A text is given as: ben10 erase --pattern -',
  });
}
