import { realpathSync } from 'node:fs';
import path from 'node:path';
import type {
  ContextMerged,
  EventType,
  JournalEvent,
  ToolCalled,
  ToolSucceeded,
} from '../../events/types.ts';
import { isOutside } from '../../platform/inside.ts';
import type { Project } from '../../project/open.ts';
import { context } from '../../projections/folds/context.ts';
import type { FileRecord } from '../../projections/folds/files.ts';
import type { Cut } from '../../projections/gather.ts';
import type { Place } from '../../projections/order.ts';
import { fileOf, isObject } from '../../projections/tools-text.ts';
import { historyOfAll } from '../../timetravel/history.ts';

/** What the journal has of a file: a call of a file tool that succeeded, a decision of `ben10 merge`, or what stands in for removed events. */
export type FileFact = { name: string; seq: number; place: Place | null } & (
  | { tool: string; input: Record<string, unknown>; response: unknown }
  | { merged: ContextMerged['files'][number]; movedTo: string | undefined }
  | { record: FileRecord }
);

const TOOLS: ReadonlySet<unknown> = new Set(['Read', 'Write', 'Edit', 'MultiEdit', 'NotebookEdit']);
const TYPES: readonly EventType[] = ['tool.called', 'tool.succeeded', 'context.merged'];

/** In the order in which it happened. A fork repeats the calls of its session: each counts once. */
export function fileFacts(
  project: Project,
  of: { session?: string | undefined; cut?: Cut | undefined },
): FileFact[] {
  const nameOf = namesIn(project.dir);
  const found = [...removed(project, of.session, nameOf)];
  const calls = new Map<string, ToolCalled>();
  const seen = new Set<string>();
  for (const { fact, place } of historyOfAll(project, TYPES, of, isOfFile)) {
    const { seq, at } = fact;
    if (fact.type === 'context.merged') {
      for (const merged of (fact.data as ContextMerged).files) {
        const movedTo = merged.movedTo === undefined ? undefined : nameOf(merged.movedTo);
        found.push({ name: nameOf(merged.path), seq, place, merged, movedTo });
      }
      continue;
    }
    const { toolUseId } = fact.data as ToolCalled;
    const key = `${fact.session} ${toolUseId}`;
    if (fact.type === 'tool.called') {
      calls.set(key, fact.data as ToolCalled);
      continue;
    }
    const { name: tool, input } = calls.get(key) ?? {};
    calls.delete(key);
    const file = fileOf(input);
    const isNew = seen.size < seen.add(`${toolUseId} ${at}`).size;
    if (tool === undefined || file === undefined || !isNew || !isObject(input)) continue;
    const { response } = fact.data as ToolSucceeded;
    found.push({ name: nameOf(file), seq, place, tool, input, response });
  }
  return found;
}

const isOfFile = ({ data }: JournalEvent): boolean => {
  const { name } = data as Partial<ToolCalled>;
  return name === undefined || TOOLS.has(name);
};

function* removed(
  { states }: Project,
  asked: string | undefined,
  nameOf: (file: string) => string,
): Generator<FileFact> {
  for (const session of states.basedSessions()) {
    if (asked !== undefined && session !== asked) continue;
    for (const record of Object.values(states.based(context, session)?.state.files.files ?? {}))
      yield { name: nameOf(record.path), seq: record.lastSeq, place: null, record };
  }
}

/** Names files from the project's folder on, with `/`; those outside begin with `..` or are absolute. */
export function namesIn(dir: string): (file: string) => string {
  const real = realpathSync(dir);
  return (recorded) => {
    const file = path.resolve(dir, recorded);
    const top = isOutside(dir, file) && !isOutside(real, file) ? real : dir;
    return path.relative(top, file).split(path.sep).join('/');
  };
}

export const isAway = (name: string): boolean =>
  name === '..' || name.startsWith('../') || path.isAbsolute(name);
