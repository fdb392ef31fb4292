import type { ContextState } from './folds/context.ts';
import type { Message } from './folds/conversation.ts';
import type { EvidenceState } from './folds/evidence.ts';
import { namesWhere } from './folds/evidence-names.ts';
import type { Note } from './folds/evidence-notes.ts';
import type { FilesState } from './folds/files.ts';
import type { ToolRun } from './folds/tools.ts';
import { looksAround } from './outcome/command.ts';
import { namesAmong } from './references.ts';

/** The pattern that excludes a file's content; undefined if none does. */
type ExcludedBy = (file: string) => string | undefined;

/** Sentences of the agent's; a user's words stand, and a failure is a command's. */
const SAID: ReadonlySet<Note['kind']> = new Set(['decision', 'finding', 'figure', 'reported']);

/**
 * What may be given back by the settings of now: a file may be excluded after its content was recorded. Gone are such files, what the
 * agent said of them, and commands that only look into them.
 */
export class Excluding {
  /** Last parts of the excluded files that were used: in a sentence `server.log` may be one, `console.log` is none. */
  readonly #known: ReadonlySet<string>;
  /** Events that show such a file's content. */
  readonly #events: ReadonlySet<number>;
  readonly #by: ExcludedBy;
  readonly #isOf: (path: string | null) => boolean;

  constructor(state: ContextState, by: ExcludedBy) {
    this.#by = by;
    const asked = new Map<string, boolean>();
    this.#isOf = (path) => {
      if (path === null || path === '') return false;
      const known = asked.get(path) ?? by(path) !== undefined;
      asked.set(path, known);
      return known;
    };
    const files = Object.values(state.files.files).filter(({ path }) => this.#isOf(path));
    const runs = state.tools.runs.filter((run) => this.#looks(run));
    this.#known = new Set([
      ...files.map(({ path }) => path.split(/[/\\]/).at(-1)!),
      ...runs.flatMap(({ about }) => namesAmong(about).filter(this.#isOf)),
    ]);
    this.#events = new Set([
      ...files.flatMap(({ changedSeq, lastSeq }) => [changedSeq ?? lastSeq, lastSeq]),
      ...runs.flatMap(({ seq, outcomeSeq }) => [seq, outcomeSeq ?? seq]),
    ]);
  }

  context(state: ContextState): ContextState {
    const { files, tools, conversation, decisions, cleared } = state;
    return {
      ...state,
      files: filesWithoutExcluded(files, this.#by),
      tools: { ...tools, runs: tools.runs.filter((run) => !this.#looks(run)) },
      decisions: decisions.filter(({ text }) => !this.#tells(text)),
      conversation: {
        ...conversation,
        messages: conversation.messages.map((one) => this.#message(one)),
        summary: conversation.summary && this.#lines(conversation.summary),
        subagents: conversation.subagents.map((one) => ({
          ...one,
          result: this.#lines(one.result),
        })),
      },
      cleared: cleared && { ...cleared, aside: this.context(cleared.aside) },
    };
  }

  evidence(known: EvidenceState): EvidenceState {
    const outcomes = Object.entries(known.outcomes);
    const looked = new Set(outcomes.filter(([, one]) => this.#looks(one)).map(([key]) => key));
    const events = new Set([
      ...this.#events,
      ...[...looked].map((key) => known.outcomes[key]!.seq),
    ]);
    return {
      ...known,
      notes: known.notes.filter(
        ({ kind, text, seq }) => !events.has(seq) && !(SAID.has(kind) && this.#tells(text)),
      ),
      names: namesWhere(
        known.names,
        ({ kind, home, seq }, text) =>
          !events.has(seq) && !this.#isOf(home) && (kind === 'number' || !this.#isOf(text)),
      ),
      outcomes: Object.fromEntries(outcomes.filter(([key]) => !looked.has(key))),
    };
  }

  /** A file tool's call on such a file, or a command that only shows it. */
  #looks({ name, about }: Pick<ToolRun, 'name' | 'about'>): boolean {
    if (name !== 'Bash') return !/\s/.test(about) && this.#isOf(about);
    return looksAround(about) && namesAmong(about).some((word) => this.#isOf(word));
  }

  /** Whether a sentence names such a file. */
  #tells(sentence: string): boolean {
    return namesAmong(sentence).some(
      (word) =>
        (/[/\\]|^\./.test(word) || this.#known.has(word)) && word.length > 1 && this.#isOf(word),
    );
  }

  #lines(text: string): string {
    const lines = text.split('\n');
    const left = lines.filter((line) => !this.#tells(line));
    return left.length === lines.length ? text : left.join('\n');
  }

  #message(one: Message): Message {
    const { role, content, metadata } = one;
    return {
      ...one,
      content: role === 'user' ? content : this.#lines(content),
      metadata: {
        ...metadata,
        fileReferences: metadata.fileReferences.filter((file) => !this.#isOf(file)),
        toolCalls: metadata.toolCalls.filter((call) => !this.#looks(callOf(call))),
      },
    };
  }
}

/** `Read src/a.ts` */
const callOf = (call: string): Pick<ToolRun, 'name' | 'about'> => {
  const [name = ''] = call.split(' ', 1);
  return { name, about: call.slice(name.length + 1) };
};

export const filesWithoutExcluded = (state: FilesState, by: ExcludedBy): FilesState => ({
  ...state,
  files: Object.fromEntries(
    Object.entries(state.files).filter(([, { path }]) => by(path) === undefined),
  ),
  changes: state.changes.filter(({ path }) => by(path) === undefined),
});

/** A context without what is excluded. */
export const withoutExcluded = (state: ContextState, by: ExcludedBy): ContextState =>
  new Excluding(state, by).context(state);
