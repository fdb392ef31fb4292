import { Command, Option } from 'clipanion';
import { compileRedaction } from '../../capture/redaction/index.ts';
import {
  type ErasureDone,
  type ErasurePlan,
  erase,
  planErasure,
  type Request,
} from '../../erasure/erase.ts';
import type { FoundEvent } from '../../erasure/found.ts';
import { parsePattern } from '../../erasure/pattern.ts';
import { loadZstd } from '../../platform/codecs/zstd-write.ts';
import { loadConfig } from '../../platform/config.ts';
import { Ben10Error } from '../../platform/errors.ts';
import type { Project } from '../../project/open.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { Ben10Command, EXIT, type Exit } from '../command.ts';
import { withWriting } from '../open.ts';
import { dateTime, plural } from '../ui/format.ts';
import { readSecret } from '../ui/secret-input.ts';
import { facts, table } from '../ui/table.ts';
import { TEXT_WIDTH, wrap } from '../ui/wrap.ts';

/** Events that are listed; a program asks for all of them with `--json`. */
const EVENTS_SHOWN = 40;

export class EraseCommand extends Ben10Command {
  static override paths = [['erase']];
  static override exits = {
    0: 'the plan was shown, or it was done; also when nothing was found',
    1: 'it failed, or something is left; the message says what and why',
  };
  static override usage = Command.Usage({
    category: 'Keep it in order',
    description: 'Erase a leaked secret from the journal for good.',
    details: `
      Shows what it would do, and does it with \`--yes\`. Events are given by their seqs (all of each goes), by a text
      or a /regular expression/ (\`--pattern\`), or by a redaction rule (\`--rule\`): of what these find, only the
      secret goes and the rest of the event stays. It is found plain, escaped for JSON, in base64, hex and UTF-16, and
      percent-encoded, in events, in texts beside them, and in what waits in the inbox.

      \`--pattern -\` asks for the text without showing it, or reads it from a pipe: a shell keeps what is typed on its
      command line in its history, and other users can see it there while it runs.

      What is left of an event is a husk: its place, its time and its id, so that the journal still verifies. Nothing
      in it helps to guess what was there. Stored states are removed and made again, so are saved ones from then on;
      bytes that a repair put aside are removed. Importing the client's transcript again brings nothing back.

      It cannot reach the client's own transcripts, backups, snapshots of the disk, or a git history that has .ben10 in
      it. Whatever was leaked has to be changed where it is valid: erasing it does not make it secret again.
    `,
    examples: [
      ['What holds it? You are asked for it', '$0 erase --pattern -'],
      ['Erase it', '$0 erase --pattern - --yes'],
      ['From a password manager', 'pass show old-key | $0 erase --pattern - --yes'],
      ['Two events', '$0 erase @120 @121 --yes'],
      ['What a redaction rule finds today', '$0 erase --rule URL-PASSWORD'],
    ],
  });

  seqs = Option.Rest({ name: 'event' });
  pattern = Option.String('--pattern', {
    description:
      '<TEXT> What holds this text or /pattern/; "-" asks for it, or reads it from a pipe.',
  });
  rule = Option.String('--rule', {
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
    const given = [this.seqs.length > 0, this.pattern !== undefined, this.rule !== undefined];
    if (given.filter(Boolean).length === 1) return;
    const message = given.some(Boolean)
      ? 'give events, --pattern or --rule, not several of them'
      : 'what is to be erased?';
    throw new Ben10Error('USAGE', message, {
      next: 'Give events (@1234), --pattern - or --rule ID; see ben10 erase --help',
    });
  }

  async #request(project: Project): Promise<Request> {
    if (this.rule !== undefined) {
      const { config } = loadConfig({ projectDir: project.dir, env: this.context.env });
      const redaction = compileRedaction(config.redaction).options;
      return { by: 'rule', rule: this.rule, redaction };
    }
    if (this.pattern === undefined) return { by: 'event', seqs: this.seqs.map(seqOf) };
    const { stdin, stderr } = this.context;
    const given =
      this.pattern === '-'
        ? await readSecret(stdin, stderr, 'What is to be erased?')
        : this.pattern;
    return { by: 'pattern', wanted: parsePattern(given) };
  }

  #plan(project: Project, request: Request): Exit {
    const plan = planErasure(project, request);
    if (this.json) this.printJson({ done: false, ...withoutReplacements(plan) });
    else if (isEmpty(plan)) this.print(...NOTHING, ...unsearchedLines(plan));
    else {
      this.print('This is what ben10 erase would do. Nothing was changed yet.', '');
      this.print(...this.#planLines(plan), '', 'To do it, say the same again with --yes.');
    }
    return EXIT.ok;
  }

  async #erase(project: Project, request: Request): Promise<Exit> {
    const codecs = { zstd: await loadZstd(), decoders: project.decoders };
    const done = erase(project, request, codecs);
    const { plan, left, waiting } = done;
    const isSearched = request.by === 'event' || plan.unsearched.length === 0;
    const isGone = left.every(({ what }) => what === 'settings') && waiting.length === 0;
    const isDone = isGone && isSearched;
    if (this.json) this.printJson({ ...done, done: isDone, plan: withoutReplacements(plan) });
    else this.print(...this.#doneLines(done, isDone));
    return isDone ? EXIT.ok : EXIT.notSo;
  }

  #planLines(plan: ErasurePlan): string[] {
    const { events, derived } = plan;
    const shown = events.slice(0, EVENTS_SHOWN).map(eventRow);
    const more = events.length - shown.length;
    return [
      ...(shown.length === 0 ? [] : table(['>event', 'type', 'time', 'what goes'], shown)),
      ...(more > 0 ? [`  and ${plural(more, 'more event')}: ben10 erase … --json lists all`] : []),
      '',
      ...facts([
        ['events', String(events.length)],
        ['rewritten', namesOf(plan.segments)],
        ['blobs', `${plan.orphanedBlobs} that no event names, and those of the events alone`],
        [
          'inbox',
          plan.waiting === 0
            ? 'empty'
            : `${plural(plan.waiting, 'file')}, searched when it is done`,
        ],
        ['states', `${plural(derived.states.length, 'file')} removed, made again when asked for`],
        ['quarantine', `${plural(derived.quarantine.length, 'file')} removed`],
        ['left files', `${plural(derived.leftovers.length, 'file')} of crashed writers removed`],
      ]),
      ...unsearchedLines(plan),
      ...reachLines(plan),
    ];
  }

  #doneLines(
    { events, segments, blobs, files, plan, left, waiting }: ErasureDone,
    isDone: boolean,
  ): string[] {
    const { green, red } = this.colours;
    if (events === 0 && files === 0 && isDone && isEmpty(plan))
      return [...NOTHING, ...unsearchedLines(plan)];
    const verdict = isDone
      ? green(`${plural(events, 'event')} erased.`)
      : red(`${plural(events, 'event')} erased, but not everything is gone.`);
    return [
      verdict,
      '',
      ...facts([
        ['rewritten', plural(segments.length, 'segment')],
        ['blobs', `${blobs} removed`],
        ['files', `${files} removed: stored states, and what was put aside`],
      ]),
      ...left.map(({ file, what }) => wrap(leftLine(oneLine(file), what), TEXT_WIDTH)),
      ...waiting.map((name) => `inbox/${name} cannot be read: what is in it is not known.`),
      ...unsearchedLines(plan),
      ...reachLines(plan),
    ];
  }
}

/** Segments that a line can name. */
const NAMES_SHOWN = 3;

function namesOf(segments: readonly string[]): string {
  const names = segments.slice(0, NAMES_SHOWN).join(', ');
  const more = segments.length - NAMES_SHOWN;
  return more > 0 ? `${plural(segments.length, 'segment')}: ${names}, …` : names || 'no segment';
}

const NOTHING = ['Nothing was found: there is nothing to erase.'];

const isEmpty = ({ events, orphanedBlobs, waiting, holding }: ErasurePlan): boolean =>
  events.length === 0 && orphanedBlobs === 0 && waiting === 0 && holding.length === 0;

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

const eventRow = ({ seq, type, at, replacement, isDigest }: FoundEvent): string[] => [
  `@${seq}`,
  type === null ? '?' : oneLine(type).slice(0, 40),
  dateTime(at),
  isDigest ? 'a digest of it' : replacement === undefined ? 'all of it' : 'the secret in it',
];

/** @throws Ben10Error USAGE */
function seqOf(text: string): number {
  const seq = Number(/^@?(\d{1,15})$/.exec(text)?.[1]);
  if (seq >= 1) return seq;
  // What was typed may be the secret itself: it is not repeated.
  throw new Ben10Error('USAGE', 'an event is given by its seq, as @1234', {
    next: 'Find it with ben10 log. A text is given as: ben10 erase --pattern -',
  });
}

function leftLine(file: string, what: 'settings' | 'data'): string {
  return what === 'settings'
    ? `${file} holds it too: it is your own file. Take it out there, then run: ben10 init`
    : `${file} still holds it: run the same again; if it stays, remove the file.`;
}

function unsearchedLines({ unsearched }: ErasurePlan): string[] {
  if (unsearched.length === 0) return [];
  const names = unsearched.join(', ');
  return [
    '',
    wrap(
      `Not searched, for it is damaged: ${names}. First run ben10 verify and ben10 repair.`,
      TEXT_WIDTH,
    ),
  ];
}

/** What ben10 cannot do for anybody. */
function reachLines({ transcripts, inGit }: ErasurePlan): string[] {
  const paths = transcripts.map((path) => `  ${oneLine(path)}`);
  const git = `Git has .ben10 in this project: its history and every clone hold it still.`;
  return [
    '',
    wrap(
      `Not reached: backups, snapshots of the disk, other copies of .ben10, and what the client itself wrote down${paths.length === 0 ? '.' : ':'}`,
      TEXT_WIDTH,
    ),
    ...paths,
    ...(inGit ? [wrap(git, TEXT_WIDTH)] : []),
    wrap('Change the secret where it is valid: who has seen it can still use it.', TEXT_WIDTH),
  ];
}
