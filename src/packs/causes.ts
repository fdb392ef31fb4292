import path from 'node:path';
import type { PromptSubmitted } from '../events/types.ts';
import type { Project } from '../project/open.ts';
import { headOf } from '../projections/bounds.ts';
import { context } from '../projections/folds/context.ts';
import { isChange } from '../projections/folds/files.ts';
import type { SessionRecord } from '../projections/folds/sessions.ts';
import { comparePlaces, type Place } from '../projections/order.ts';
import { oneLine } from '../projections/safe-text.ts';
import { sessionsAt } from '../timetravel/sessions.ts';
import { wholeText } from '../timetravel/tracked-files.ts';
import { type ItemDifference, textIn } from './compare.ts';
import type { KeptPayload, ManifestItem } from './kept/payload-file.ts';
import { contentOf } from './render/content.ts';
import { knownAfter } from './sources/at-point.ts';
import { type FileFact, fileFacts, isAway, namesIn } from './sources/file-facts.ts';

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
  text: string;
  isOfLastSession: boolean;
}

const TEXT_CHARS = 60;

/**
 * The causes of changed and new files, by label; files that no recorded tool changed have none.
 * @param span the events that a difference lies between: behind the first, up to the last
 */
export function causesOf(
  project: Project,
  differences: readonly ItemDifference[],
  after: KeptPayload,
  { from, to }: { from: number; to?: number | undefined },
): Map<string, Cause> {
  const causes = new Map<string, Cause>();
  const files = new Map<string, FileFact[]>();
  for (const { after: item } of differences) if (item?.path) files.set(item.path, []);
  if (files.size === 0) return causes;
  const sessions = sessionsAt(project);
  const facts = fileFacts(
    project,
    { cut: to === undefined ? {} : { upto: to } },
    namesIncluding(project, sessions),
  );
  for (const fact of facts) files.get(fact.name)?.push(fact);
  const promptBefore = promptsOf(project, sessions);
  for (const { label, after: item } of differences) {
    const own = files.get(item?.path ?? '') ?? [];
    const last = own.findLastIndex((one) => 'tool' in one && isChange(one.tool) && one.seq > from);
    const fact = own[last];
    if (fact === undefined || !('tool' in fact)) continue;
    const { seq, tool, session, at } = fact;
    const prompt = promptBefore(session, fact.place!);
    const left = knownAfter(project, own.slice(0, last + 1));
    const text = left === 'gone' ? undefined : left?.text;
    causes.set(label, {
      ...{ seq, tool, session, at },
      ...(prompt && { prompt }),
      ...(text !== undefined && isOther(project, text, after, item!) && { isOutside: true }),
    });
  }
  return causes;
}

/** A session that was imported from elsewhere worked in a folder of its own. */
function namesIncluding({ dir }: Project, sessions: readonly SessionRecord[]) {
  const nameOf = namesIn(dir);
  const folders = new Map(sessions.map(({ session, cwd }) => [session, cwd]));
  return (file: string, session: string): string => {
    const name = nameOf(file);
    const cwd = isAway(name) ? (folders.get(session) ?? undefined) : undefined;
    const own = cwd === undefined ? name : path.relative(cwd, file).split(path.sep).join('/');
    return own.normalize('NFC');
  };
}

function promptsOf(project: Project, sessions: readonly SessionRecord[]) {
  const last = sessions.find(({ prompts }) => prompts > 0)?.session;
  const known = new Map<string, ReturnType<typeof own>>();
  const own = (session: string) =>
    project.states.facts(session, ['prompt.submitted']).filter(({ fact }) => fact.agent === null);
  return (session: string, place: Place): CausingPrompt | undefined => {
    const prompts = known.get(session) ?? own(session);
    known.set(session, prompts);
    const at = prompts.findLastIndex((one) => comparePlaces(one.place, place) < 0);
    if (at === -1) return undefined;
    const all = sessions.find((one) => one.session === session)?.prompts ?? 0;
    // The events of its first ones may be gone.
    const isCut = project.states.based(context, session) !== undefined;
    const { seq, data } = prompts[at]!.fact;
    const text = oneLine(wholeText(project, (data as PromptSubmitted).text) ?? '');
    return {
      number: at + 1 + (isCut ? Math.max(0, all - prompts.length) : 0),
      seq,
      text: headOf(text, TEXT_CHARS),
      isOfLastSession: session === last,
    };
  };
}

function isOther(project: Project, text: string, after: KeptPayload, item: ManifestItem): boolean {
  const content = contentOf(Buffer.from(text), item.lines, project.redaction);
  return typeof content === 'string' || content.text !== textIn(after, item);
}
