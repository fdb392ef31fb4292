import { Command, Option } from 'clipanion';
import { stateOf } from '../../handoff/exported.ts';
import { undoCheckpoint } from '../../handoff/undo.ts';
import { DEFER_POINTS, DEFER_POINTS_MAX, defer } from '../../monitor/defer.ts';
import { isDue } from '../../monitor/view.ts';
import type { Ben10Config } from '../../platform/config/keys.ts';
import { Ben10Error } from '../../platform/errors.ts';
import { catchUp, transcriptOf } from '../../project/catch-up.ts';
import type { Project } from '../../project/open.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { checkpoint } from '../../timetravel/saves.ts';
import { Ben10Command, type Exit, SESSION } from '../command.ts';
import { estimated } from '../estimating.ts';
import { handOff } from '../handing-off.ts';
import { viewNow } from '../monitor/view-now.ts';
import { withJournal, withWriting } from '../open.ts';
import { bytes } from '../ui/format.ts';
import { takenLines } from '../ui/taken.ts';

export class CheckpointCommand extends Ben10Command {
  static override paths = [['checkpoint']];
  static override exits = {
    0: 'the checkpoint was stored, shown or taken back',
    1: 'nothing was recorded yet, there is nothing to take back, or the write failed',
  };
  static override usage = Command.Usage({
    category: 'Save and go back: which one, when',
    description: 'Between steps: mark the state, without a name (@checkpoint:-1).',
    details: `
      - Without options: stores the state as @checkpoint:-1. To give a state a name, use \`ben10 save\`. (The rolling checkpoints
        that ben10 makes by itself are no points.)
      - \`--handoff\`: commits the work in progress and writes a document for the next session into .claude/handoffs. The commit
        goes to the branch where nothing is staged, half done or published; else to refs/ben10/wip, and index and HEAD stay.
      - \`--undo\`: takes that commit back while it is HEAD and not pushed. The working tree and the index stay.
      - \`--defer\`: for one more task, alert and checkpoint wait until the context has grown by so many points, 5 by default; twice at
        most, never at L3.
      - \`--status\`: how full the context is, and what was handed off.

      With \`--json\`: {"seq", "projections", "bytes"}; for a handoff {"checkpoint", "level", "file", "title", "wip",
      "notCommitted", "resume"}; for undo {"checkpoint", "commit"}; for a
      deferral {"level", "percent", "until", "left"}; for the status as .claude/checkpoint-state.json.
    `,
    examples: [
      ['Between two steps', '$0 checkpoint'],
      ['What happened since?', '$0 diff @checkpoint:-1'],
      ['At the end of a session', '$0 checkpoint --handoff --note "the parser comes next"'],
    ],
  });

  handoff = Option.Boolean('--handoff', false, { description: 'Hand the work off.' });
  about = Option.String('--note', {
    description: '<TEXT> What comes next: the first step of the handoff.',
  });
  noWip = Option.Boolean('--no-wip', false, { description: 'Hand off without a commit.' });
  undo = Option.Boolean('--undo', false, { description: 'Take the commit back.' });
  status = Option.Boolean('--status', false, { description: 'Say how things stand.' });
  defer = Option.String('--defer', {
    tolerateBoolean: true,
    description: '<POINTS> Let it wait, for one more task.',
  });
  estimate = Option.String('--estimate', {
    description: '<TASK> Say whether a text or a file fits.',
  });
  session = Option.String('--session', SESSION);

  async execute(): Promise<Exit> {
    const isHandoff = this.handoff || this.about !== undefined || this.noWip;
    const isDefer = this.defer !== undefined;
    const given = [isHandoff, this.undo, this.status, isDefer, this.estimate !== undefined];
    if (given.filter(Boolean).length > 1) {
      throw new Ben10Error('USAGE', 'these options do not go together', {
        next: 'Give one of --handoff, --undo, --status, --defer and --estimate.',
      });
    }
    if (this.estimate !== undefined) {
      const { data, lines } = await estimated(this.context, this.estimate, this.session);
      return this.answer(data, () => lines);
    }
    if (this.status) return withJournal(this.context, (project) => this.#status(project));
    return withWriting(this.context, (project, config) => {
      if (this.undo) return this.#undo(project);
      if (isHandoff) return this.#handOff(project, config);
      if (config.context.autoSave) catchUp(project, this.session);
      return this.defer === undefined
        ? this.#mark(project)
        : this.#defer(project, config, this.defer);
    });
  }

  #mark(project: Project): Exit {
    const made = checkpoint(project, { session: this.session });
    const text = `Marked as @checkpoint:-1: everything up to @${made.seq}, ${bytes(made.bytes)}.`;
    return this.answer(made, () => [this.colours.green(text)]);
  }

  #handOff(project: Project, config: Ben10Config): Exit {
    const given = { cwd: this.context.cwd, note: this.about, isWipOff: this.noWip };
    const taken = handOff(project, config, this.session, given);
    return this.answer(taken, () => takenLines(taken, this.colours));
  }

  #defer(project: Project, { monitor }: Ben10Config, given: string | boolean): Exit {
    const points = given === true ? DEFER_POINTS : Number(given);
    if (!Number.isInteger(points) || points < 1 || points > DEFER_POINTS_MAX)
      throw new Ben10Error('USAGE', `--defer takes 1 to ${DEFER_POINTS_MAX} points`, {
        next: 'For example: --defer=5',
      });
    const { session = '' } = transcriptOf(project, this.session);
    const deferred = defer(project, session, monitor, points, 'cli');
    const more = deferred.left > 0 ? 'once more' : 'not again';
    return this.answer(deferred, () => [
      `The checkpoint waits up to ${deferred.until}%, and can be put off ${more} in this context.`,
    ]);
  }

  #undo(project: Project): Exit {
    const undone = undoCheckpoint(project, this.context.cwd);
    return this.answer(undone, () => [
      `Took commit ${undone.commit.slice(0, 12)} back. The working tree and the index stay.`,
    ]);
  }

  #status(project: Project): Exit {
    const { session } = transcriptOf(project, this.session);
    const view = session === undefined ? undefined : viewNow(project, session, this.context);
    const state = stateOf(project, session ?? null, view);
    const { contextPercent: percent, currentLevel: level, lastCheckpoint: last } = state;
    return this.answer(state, () => [
      percent === null
        ? 'How full the context is, is not known yet.'
        : `Context at ${percent}%, ${level}.`,
      last === null ? 'No handoff yet.' : `Last handoff: ${oneLine(last.handoffFile)}`,
      ...(view !== undefined && isDue(view)
        ? ['A checkpoint is due: ben10 checkpoint --handoff']
        : []),
    ]);
  }
}
