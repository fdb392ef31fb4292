import path from 'node:path';
import type { PromptSubmitted, ToolCalled, ToolSucceeded } from '../events/types.ts';
import type { Project } from '../project/open.ts';
import { headOf } from '../projections/bounds.ts';
import type { Fact } from '../projections/contract.ts';
import { readEvents } from '../projections/events.ts';
import type { FileVersion } from '../projections/file-content.ts';
import { context } from '../projections/folds/context.ts';
import { isChange } from '../projections/folds/files.ts';
import type { SessionRecord } from '../projections/folds/sessions.ts';
import { oneLine } from '../projections/safe-text.ts';
import { fileOf } from '../projections/tools-text.ts';
import { historyOf } from '../timetravel/history.ts';
import { sessionsAt } from '../timetravel/sessions.ts';
import { noteVersion, wholeText } from '../timetravel/tracked-files.ts';
import { type ItemDifference, textIn } from './compare.ts';
import type { KeptPayload } from './kept/payload-file.ts';
import { contentOf } from './render/content.ts';

/** The call that changed a file last. */
export interface Cause {
  /** The event that it succeeded. */
  seq: number;
  tool: string;
  session: string;
  at: number;
  /** What the user had asked for; undefined if the journal does not have it. */
  prompt?: CausingPrompt;
  /** What the call left is not what is there: something that the journal did not see changed the file after it. */
  isOutside?: true;
}

export interface CausingPrompt {
  /** As in `@prompt:3`, which means the session that was active last. */
  number: number;
  seq: number;
  /** Its beginning, on one line. */
  text: string;
  isOfLastSession: boolean;
}

const TEXT_CHARS = 60;

/** Which events a difference lies between: behind the first, up to the last. */
export interface Span {
  from: number;
  to?: number | undefined;
}

/** The causes of changed and new files, by label; files that no recorded tool changed have none. */
export function causesOf(
  project: Project,
  differences: readonly ItemDifference[],
  after: KeptPayload,
  span: Span,
): Map<string, Cause> {
  const wanted = new Map<string, ItemDifference[]>();
  for (const one of differences) {
    const file = one.after?.path;
    if (file !== undefined) wanted.set(file, [...(wanted.get(file) ?? []), one]);
  }
  const causes = new Map<string, Cause>();
  if (wanted.size === 0) return causes;
  const known = sessionsAt(project);
  const last = known.find(({ prompts }) => prompts > 0)?.session;
  for (const session of sessionsIn(project, span)) {
    const record = known.find((one) => one.session === session);
    const found = changesIn(project, session, record, { wanted, span });
    for (const [file, { version, prompt, ...cause }] of found) {
      for (const one of wanted.get(file)!) {
        const other = causes.get(one.label);
        if (other !== undefined && other.at > cause.at) continue;
        causes.set(one.label, {
          ...cause,
          ...(prompt && { prompt: { ...prompt, isOfLastSession: session === last } }),
          ...(isOther(project, one, after, version) && { isOutside: true }),
        });
      }
    }
  }
  return causes;
}

/** Sessions whose tools did something meanwhile. */
function sessionsIn({ reader, ports }: Project, { from, to }: Span): Set<string> {
  const sessions = new Set<string>();
  const query = { from: from + 1, to, types: ['tool.succeeded'], isLazy: true };
  for (const { session } of readEvents(reader, ports.xxh64, query))
    if (session !== null) sessions.add(session);
  return sessions;
}

interface Change extends Omit<Cause, 'prompt' | 'isOutside'> {
  prompt?: Omit<CausingPrompt, 'isOfLastSession'>;
  version: FileVersion | undefined;
}

/** The last change of each file in a session, in the client's own order. */
function changesIn(
  project: Project,
  session: string,
  record: SessionRecord | undefined,
  { wanted, span }: { wanted: ReadonlyMap<string, unknown>; span: Span },
): Map<string, Change> {
  const facts = historyOf(project, session, span.to === undefined ? {} : { upto: span.to });
  const prompts = facts.filter(({ fact }) => isPrompt(fact)).length;
  const isDropped = project.states.based(context, session) !== undefined;
  let number = isDropped ? Math.max(0, (record?.prompts ?? 0) - prompts) : 0;
  let prompt: Change['prompt'];
  const calls = new Map<string, ToolCalled>();
  const versions = new Map<string, FileVersion>();
  const changes = new Map<string, Change>();
  for (const { fact } of facts) {
    if (isPrompt(fact)) {
      const { text } = fact.data as PromptSubmitted;
      number += 1;
      const whole = oneLine(wholeText(project, text) ?? '');
      prompt = { number, seq: fact.seq, text: headOf(whole, TEXT_CHARS) };
    } else if (fact.type === 'tool.called') {
      const call = fact.data as ToolCalled;
      calls.set(call.toolUseId, call);
    } else if (fact.type === 'tool.succeeded') {
      const { toolUseId, response } = (fact as Fact<ToolSucceeded>).data;
      const call = calls.get(toolUseId);
      const given = call && fileOf(call.input);
      if (call === undefined || given === undefined) continue;
      const file = nameIn(project.dir, record?.cwd ?? null, given);
      if (!wanted.has(file)) continue;
      noteVersion(project, versions, call, response);
      const version = versions.get(given);
      if (isChange(call.name) && fact.seq > span.from) {
        const { seq, at } = fact;
        changes.set(file, {
          seq,
          at,
          tool: call.name,
          session,
          version,
          ...(prompt && { prompt }),
        });
      }
    }
  }
  return changes;
}

const isPrompt = ({ type, agent }: Fact): boolean => type === 'prompt.submitted' && agent === null;

/** From the project's folder on; a session that was imported from elsewhere worked in a folder of its own. */
function nameIn(dir: string, cwd: string | null, given: string): string {
  const file = path.resolve(dir, given);
  const own = path.relative(dir, file);
  const isAway = own.startsWith('..') || path.isAbsolute(own);
  const name = isAway && cwd !== null ? path.relative(cwd, file) : own;
  return name.split(path.sep).join('/').normalize('NFC');
}

/** Whether the journal knows the file's text and it is not the one that is there. */
function isOther(
  project: Project,
  { after: item }: ItemDifference,
  after: KeptPayload,
  version: FileVersion | undefined,
): boolean {
  if (version?.text === undefined) return false;
  const content = contentOf(Buffer.from(version.text), item!.lines, project.redaction);
  return typeof content === 'string' || content.text !== textIn(after, item!);
}
