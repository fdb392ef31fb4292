import { Command, Option } from 'clipanion';
import type { WorkSaved } from '../../events/types.ts';
import { Ben10Error } from '../../platform/errors.ts';
import { placeOf } from '../../platform/place.ts';
import type { WorkState } from '../../projections/folds/workspace.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { OWN_PART } from '../../setup/own-part.ts';
import { cleaner } from '../../workspace/clean.ts';
import { workOf } from '../../workspace/collectors/work-state.ts';
import type { Work } from '../../workspace/context.ts';
import { recordedAt, worktreeAt } from '../../workspace/recorded.ts';
import { parseTodos } from '../../workspace/todos.ts';
import { saveWork } from '../../workspace/work.ts';
import { workingFiles } from '../../workspace/working-files.ts';
import { Ben10Command, EXIT } from '../command.ts';
import { withJournal, withWriting } from '../open.ts';
import { dateTime, plural } from '../ui/format.ts';

const VERBS = ['save', 'show'] as const;

export class WorkCommand extends Ben10Command {
  static override paths = [['work']];
  static override exits = {
    0: 'saved, or printed',
    1: 'there is nothing to save or to show, or the write failed',
  };
  static override words = [['save', 'show']];
  static override usage = Command.Usage({
    category: 'Save and go back: which one, when',
    description: 'Before a break: note task, files and todos for the next session.',
    details: `
      \`work save\` stores these for the current git worktree. Files default to git's changed files, todos to the session's
      task list; the task and notes default to the last saved ones. A session gets them after a compaction, and with
      \`ben10 context\`. \`ben10 --save-state\` is the same command.

      \`work show\` prints the same as \`ben10 context\`: what was saved, with what the session did since.

      With \`--json\`, save prints what it stored: {"worktree", "trigger", "task_summary", "working_files", "notes", "todos"};
      show adds "saved_at", or prints null.
    `,
    examples: [
      ['Save the task', '$0 work save "Rate limiter: tests are missing"'],
      [
        'With files and todos',
        '$0 work save "Rate limiter" --file src/limit.ts --todos "- [ ] tests"',
      ],
      ['Show what was saved', '$0 work show'],
    ],
  });

  verb = Option.String({ name: 'save|show' });
  task = Option.String({ required: false, name: 'task' });
  files = Option.Array('--file', { description: '<PATH> A file you work on. May be repeated.' });
  notes = Option.String('--notes', { description: '<TEXT> Other notes.' });
  todos = Option.String('--todos', {
    description: '<LIST> Lines such as "- [ ] open" and "- [x] done", or JSON.',
  });

  async execute() {
    if (this.verb === 'save') return this.#save();
    if (this.verb === 'show') return this.#show();
    throw new Ben10Error('USAGE', `there is no "work ${oneLine(this.verb).slice(0, 40)}"`, {
      next: `Give one of: ${VERBS.join(', ')}.`,
    });
  }

  async #save() {
    const { cwd, env } = this.context;
    return withWriting(this.context, async (project) => {
      const place = placeOf(project.dir, cwd);
      const saved = saveWork(project, {
        taskSummary: this.task,
        workingFiles: this.files ?? (await workingFiles(place.dir, OWN_PART, env)),
        notes: this.notes,
        todos: this.todos === undefined ? undefined : parseTodos(this.todos),
        trigger: 'manual',
        cwd,
        source: 'cli',
      });
      if (this.json) this.printJson(saved ? asData(saved) : null);
      else if (saved === undefined)
        this.note('There is nothing to save. Give a task: ben10 work save "the task"');
      else this.print(this.colours.green(`Work state saved: ${savedText(saved)}.`));
      return saved === undefined ? EXIT.notSo : EXIT.ok;
    });
  }

  async #show() {
    if (this.task !== undefined)
      throw new Ben10Error('USAGE', 'work show takes no task', { next: 'Run: ben10 work show' });
    return withJournal(this.context, (project) => {
      const place = placeOf(project.dir, this.context.cwd);
      const { worktree } = place;
      const saved = worktreeAt(project, place)?.work;
      // As `ben10 context` shows it: what was saved, with what the session did since.
      const recorded = recordedAt(project, place);
      const [work] = workOf({ dir: place.dir, recorded, clean: cleaner(project.redact) });
      if (this.json) this.printJson(work === undefined ? null : shownData(worktree, work, saved));
      else if (work === undefined)
        this.note('Nothing was saved yet. To save: ben10 work save "the task"');
      else this.print(...linesOf(work, saved));
      return work === undefined ? EXIT.notSo : EXIT.ok;
    });
  }
}

const shownData = (worktree: string, { task, files, notes, todos }: Work, saved: Saved) => ({
  worktree,
  trigger: saved?.trigger ?? null,
  task_summary: task === '' ? null : task,
  working_files: files,
  notes: notes === '' ? null : notes,
  todos,
  saved_at: saved ? new Date(saved.at).toISOString() : null,
});

/** With the names of ContextKeeper's work-state.json. */
const asData = ({ worktree, trigger, taskSummary, workingFiles, notes, todos }: WorkSaved) => ({
  worktree,
  trigger,
  task_summary: taskSummary,
  working_files: workingFiles,
  notes,
  todos,
});
function savedText({ taskSummary, workingFiles, notes, todos }: WorkSaved): string {
  const parts = [
    taskSummary && 'the task',
    workingFiles && plural(workingFiles.length, 'file'),
    notes === '' ? 'no notes' : notes && 'notes',
    todos?.length === 0 ? 'no todos' : todos && plural(todos.length, 'todo'),
  ];
  return parts.filter(Boolean).join(', ') || 'unchanged';
}

type Saved = WorkState | null | undefined;

const BOXES: Readonly<Record<string, string>> = { in_progress: '[~]', completed: '[x]' };

function linesOf({ task, files, notes, todos }: Work, saved: Saved): string[] {
  return [
    `Task:   ${task === '' ? '(none)' : task}`,
    ...(files.length === 0 ? [] : [`Files:  ${files.join(', ')}`]),
    ...(notes === '' ? [] : [`Notes:  ${notes}`]),
    ...todos.map(({ content, status }) => `        ${BOXES[status] ?? '[ ]'} ${content}`),
    saved
      ? `Saved:  ${dateTime(saved.at)}, ${oneLine(saved.trigger)}, @${saved.seq}`
      : 'Saved:  not yet; this is what the last session left. To save: ben10 work save "the task"',
  ];
}
