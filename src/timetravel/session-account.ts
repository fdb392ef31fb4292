import type {
  CompactionFinished,
  EventType,
  PromptSubmitted,
  ToolCalled,
  ToolFailed,
  ToolSucceeded,
} from '../events/types.ts';
import type { Project } from '../project/open.ts';
import type { Fact } from '../projections/contract.ts';
import { context } from '../projections/folds/context.ts';
import { isChange } from '../projections/folds/files.ts';
import type { SessionRecord } from '../projections/folds/sessions.ts';
import { addTokens, MessageUsages, noTokens, type Tokens } from '../projections/message-usage.ts';
import { type Asked, askedOf } from '../projections/outcome/command.ts';
import type { Verdict } from '../projections/outcome/judge.ts';
import { outcomeOf } from '../projections/outcome/of-call.ts';
import { fileOf, textOf } from '../projections/tools-text.ts';

export interface SessionEnd {
  /** `unknown`: a transcript alone does not say it; `cut off`: hooks saw it begin, and never end. */
  how: 'ended' | 'running' | 'cut off' | 'unknown';
  /** The client's word for it. */
  reason: string | null;
}

export interface SessionCommand {
  seq: number;
  at: number;
  command: string;
  agent: string | null;
  outcome: Verdict | 'open';
  exitCode: number | null;
  /** The telling line of its output. */
  line: string;
}

/** What happened in a session, all of it. Sub-agents' work is its own. */
export interface SessionAccount {
  session: string;
  client: string | null;
  /** Its first prompt, shortened. */
  title: string;
  branch: string | null;
  firstAt: number;
  lastAt: number;
  end: SessionEnd;
  /** How often it was started or resumed. */
  starts: number;
  calls: number;
  agents: string[];
  prompts: { seq: number; at: number; text: string }[];
  files: { path: string; changes: number }[];
  /** `commands` may lack those of removed events, which are only counted. */
  commands: SessionCommand[];
  commandCount: number;
  compactions: { seq: number; at: number; from: number | null; to: number | null }[];
  tokens: Tokens;
  models: Record<string, Tokens>;
}

const TYPES: readonly EventType[] = [
  'prompt.submitted',
  'tool.called',
  'tool.failed',
  'compaction.finished',
  'session.ended',
  'usage.sampled',
];

/**
 * A session's account, of its own events alone, so that it takes as long as the session is.
 * @param options.isRunning known from outside of the journal
 * @param options.withOutputs reads the commands' outputs, which are most of a journal
 */
export function accountOf(
  project: Project,
  record: SessionRecord,
  options: { isRunning?: boolean; withOutputs?: boolean } = {},
): SessionAccount {
  const types = options.withOutputs === true ? [...TYPES, 'tool.succeeded'] : TYPES;
  const reading = new Reading(project, record);
  for (const { fact } of project.states.facts(record.session, types)) reading.take(fact);
  return reading.account(options.isRunning === true);
}

class Reading {
  readonly #record: SessionRecord;
  readonly #usages = new MessageUsages();
  readonly #changed = new Map<string, number>();
  readonly #open = new Map<string, { path?: string; command?: SessionCommand; asked?: Asked }>();
  readonly #agents = new Set<string>();
  readonly #models: Record<string, Tokens> = Object.create(null);
  readonly #commands: SessionCommand[] = [];
  readonly #prompts: SessionAccount['prompts'] = [];
  readonly #compactions: SessionAccount['compactions'] = [];
  #earlierCommands = 0;
  #branch: string | null = null;
  #reason: string | null = null;
  #lastAt: number;

  constructor({ states }: Project, record: SessionRecord) {
    this.#record = record;
    this.#lastAt = record.lastAt;
    // What stands in for events that retention removed.
    const based = states.based(context, record.session)?.state;
    if (based === undefined) return;
    for (const { path, edits, writes } of Object.values(based.files.files))
      if (edits + writes > 0) this.#changed.set(path, edits + writes);
    this.#earlierCommands = based.tools.counts.Bash?.calls ?? 0;
    for (const [model, row] of Object.entries(based.usage.byModel))
      this.#models[model] = {
        input: row.inputTokens,
        output: row.outputTokens,
        cacheWrite: row.cacheCreationTokens,
        cacheHour: 0,
        cacheRead: row.cacheReadTokens,
      };
  }

  take(fact: Fact): void {
    const { type, agent, at, seq } = fact;
    this.#lastAt = Math.max(this.#lastAt, at);
    if (agent !== null) this.#agents.add(agent);
    if (type === 'usage.sampled') this.#usages.add(fact as Fact<never>);
    else if (type === 'tool.called') this.#called(fact as Fact<ToolCalled>);
    else if (type === 'tool.failed') this.#failed(fact as Fact<ToolFailed>);
    else if (type === 'tool.succeeded') this.#ended(fact as Fact<ToolSucceeded>);
    else if (type === 'session.ended') this.#reason = (fact.data as { reason: string }).reason;
    else if (type === 'compaction.finished') {
      const { preTokens = null, postTokens = null } = fact.data as CompactionFinished;
      this.#compactions.push({ seq, at, from: preTokens, to: postTokens });
    } else if (type === 'prompt.submitted' && agent === null) {
      const { text, branch } = fact.data as PromptSubmitted;
      this.#branch = branch ?? this.#branch;
      this.#prompts.push({ seq, at, text: textOf(text) ?? '' });
    }
  }

  #called({ data, agent, at, seq }: Fact<ToolCalled>): void {
    const path = fileOf(data.input);
    if (path !== undefined && isChange(data.name)) {
      this.#changed.set(path, (this.#changed.get(path) ?? 0) + 1);
      this.#open.set(data.toolUseId, { path });
    }
    if (data.name !== 'Bash') return;
    const command: SessionCommand = {
      seq,
      at,
      command: textOf((data.input as { command?: unknown } | null)?.command) ?? '',
      agent,
      outcome: 'open',
      exitCode: null,
      line: '',
    };
    this.#commands.push(command);
    this.#open.set(data.toolUseId, { command, asked: askedOf(command.command) });
  }

  #failed(fact: Fact<ToolFailed>): void {
    const { path } = this.#open.get(fact.data.toolUseId) ?? {};
    if (path !== undefined) {
      const changes = this.#changed.get(path)! - 1;
      if (changes > 0) this.#changed.set(path, changes);
      else this.#changed.delete(path);
    }
    this.#ended(fact);
  }

  #ended(fact: Fact<ToolSucceeded | ToolFailed>): void {
    const { command, asked = null } = this.#open.get(fact.data.toolUseId) ?? {};
    if (command === undefined) return;
    const { verdict: outcome, exitCode, cause: line } = outcomeOf(fact, asked);
    Object.assign(command, { outcome, exitCode, line });
  }

  account(isRunning: boolean): SessionAccount {
    const { session, client, title, firstAt, starts, endedAt } = this.#record;
    for (const { model, tokens } of this.#usages.all()) {
      this.#models[model] ??= noTokens();
      addTokens(this.#models[model], tokens);
    }
    const unended = isRunning ? 'running' : starts > 0 ? 'cut off' : 'unknown';
    return {
      session,
      client,
      title,
      branch: this.#branch,
      firstAt,
      lastAt: this.#lastAt,
      end:
        endedAt === null ? { how: unended, reason: null } : { how: 'ended', reason: this.#reason },
      starts,
      calls: this.#record.toolCalls,
      agents: [...this.#agents],
      prompts: this.#prompts,
      files: Array.from(this.#changed, ([path, changes]) => ({ path, changes })),
      commands: this.#commands,
      commandCount: this.#earlierCommands + this.#commands.length,
      compactions: this.#compactions,
      tokens: Object.values(this.#models).reduce(addTokens, noTokens()),
      models: { ...this.#models },
    };
  }
}
