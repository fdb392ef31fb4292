import { Command, Option } from 'clipanion';
import { allHandoffs, findHandoff, nameOf, textOf, verified } from '../../handoff/of-project.ts';
import { orient, verdictLines } from '../../handoff/orient.ts';
import { resumedEvent } from '../../handoff/resume.ts';
import { VERDICTS, type Verdict, type Verification } from '../../handoff/verify.ts';
import { queryLog } from '../../log/query.ts';
import { Ben10Error } from '../../platform/errors.ts';
import { transcriptOf } from '../../project/catch-up.ts';
import type { Project } from '../../project/open.ts';
import type { Handoff } from '../../projections/folds/handoffs.ts';
import { cleanText, oneLine } from '../../projections/safe-text.ts';
import { Ben10Command, EXIT, type Exit, SESSION } from '../command.ts';
import { handOff } from '../handing-off.ts';
import { withJournal, withWriting } from '../open.ts';
import { eventFields } from '../ui/event-json.ts';
import { eventLine } from '../ui/event-line.ts';
import { plural, shortTime } from '../ui/format.ts';
import { takenLines } from '../ui/taken.ts';

const VERBS = ['list', 'create', 'show', 'verify', 'resume'] as const;
/** Events that led to a handoff. */
const BEFORE = 20;

export class HandoffCommand extends Ben10Command {
  static override paths = [['handoff']];
  static override exits = {
    0: 'done; verify: all of it holds',
    1: 'there is no such handoff, or verify: something in it holds no more',
  };
  static override words = [VERBS] as const;
  static override usage = Command.Usage({
    category: 'Memory',
    description: 'Hand work off to the next session, and check what was handed off.',
    details: `
      - \`list\` (default): all handoffs, the newest first. \`create\`: writes one now, with what you give.
      - \`show\`: the document, from the journal; \`--before\`: the 20 events that led there.
      - \`verify\`: derives each claim again from the journal and compares the tree: holds, changed (by whom), gone, erased, false,
        of a foreign journal; and names lines that were edited by hand.
      - \`resume\`: what \`ben10 orient\` says, and takes it up for this session.

      A handoff is named by its file, its name (2026-01-07-1145) or its id; by default it is the newest of this worktree and branch.

      With \`--json\`: {"handoffs": […]}; create {"checkpoint", "level", "file", "title", "wip", "notCommitted",
      "resume"}; show {"handoff", "file",
      "text"}; verify and resume {"handoff", "file", "holds", "counts", "claims": [{"claim", "verdict", "why"}], "edited", "isGone"}.
    `,
    examples: [
      ['Before you stop', "$0 handoff create --next 'split the parser' --next 'then the tests'"],
      ['Does it still hold?', '$0 handoff verify'],
    ],
  });

  verb = Option.String({ name: 'verb', required: false });
  which = Option.String({ name: 'handoff', required: false });
  next = Option.Array('--next', [], { description: '<TEXT> create: what comes next. Repeat it.' });
  rejected = Option.Array('--rejected', [], {
    description: '<TEXT> create: what was tried and dropped. Repeat it.',
  });
  summary = Option.String('--summary', { description: '<TEXT> create: how far the work is.' });
  before = Option.Boolean('--before', false, { description: 'show: the events that led there.' });
  session = Option.String('--session', SESSION);

  async execute(): Promise<Exit> {
    const verb = VERBS.find((one) => one === (this.verb ?? 'list'));
    if (verb === undefined) {
      throw new Ben10Error('USAGE', `there is no verb "${oneLine(this.verb!).slice(0, 80)}"`, {
        next: `There are: ${VERBS.join(', ')}.`,
      });
    }
    if (verb === 'create') return this.#create();
    if (verb === 'resume') return withWriting(this.context, (project) => this.#resume(project));
    return withJournal(this.context, (project) => {
      if (verb === 'list') return this.#list(allHandoffs(project));
      return verb === 'show' ? this.#show(project) : this.#verify(project);
    });
  }

  #create(): Promise<Exit> {
    return withWriting(this.context, (project, config) => {
      const { next: nextSteps, rejected, summary } = this;
      const given = { cwd: this.context.cwd, nextSteps, rejected, summary };
      const taken = handOff(project, config, this.session, given);
      return this.answer(taken, () => takenLines(taken, this.colours));
    });
  }

  #list(all: readonly Handoff[]): Exit {
    const now = this.context.now();
    const handoffs = all.map(({ handoff, seq: begun, at: _, ...rest }) => ({
      ...rest,
      begun,
      ...handoff,
    }));
    return this.answer({ handoffs }, () =>
      all.length === 0
        ? ['No handoff yet. To make one: ben10 handoff create']
        : all.map((one) => {
            const [first] = one.handoff.resumed;
            const taken = first ? `, taken up by ${oneLine(first.session).slice(0, 8)}` : '';
            const what = `${oneLine(one.handoff.title)}, ${plural(one.handoff.claims, 'claim')}`;
            return `${shortTime(one.handoff.at, now)}  ${oneLine(nameOf(one))}  ${what}${taken}`;
          }),
    );
  }

  #show(project: Project): Exit {
    const handoff = findHandoff(project, this.context.cwd, this.which);
    const { checkpoint, seq: to, session } = handoff;
    if (this.before) {
      const query = { to, limit: BEFORE, ...(session !== null && { session }) };
      const events = [...queryLog(project, query)];
      return this.answer({ handoff: checkpoint, events: events.map(eventFields) }, () =>
        events.map((event) =>
          eventLine(
            { event },
            { width: this.width, now: this.context.now(), colours: this.colours },
          ),
        ),
      );
    }
    const text = project.redact(textOf(project, handoff));
    const { file } = handoff.handoff;
    return this.answer({ handoff: checkpoint, file, text }, () => [cleanText(text.trimEnd())]);
  }

  #verify(project: Project): Exit {
    const verification = verified(project, this.context.cwd, this.which);
    this.answer(dataOf(verification), () => verdictLines(verification));
    return verification.holds ? EXIT.ok : EXIT.notSo;
  }

  #resume(project: Project): Exit {
    const handoff = findHandoff(project, this.context.cwd, this.which);
    const { text, verification } = orient(project, handoff);
    const { session } = transcriptOf(project, this.session);
    if (session !== undefined && session !== handoff.session)
      project.recorder.append([resumedEvent(project, handoff, session, verification, 'cli')]);
    return this.answer(dataOf(verification), () => [text]);
  }
}

export function dataOf({ checked: claims, ...found }: Verification) {
  const of = (verdict: Verdict) => claims.filter((one) => one.verdict === verdict).length;
  return { ...found, counts: Object.fromEntries(VERDICTS.map((one) => [one, of(one)])), claims };
}
