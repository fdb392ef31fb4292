import { realpathSync } from 'node:fs';
import path from 'node:path';
import type { ContextMerged, ToolSucceeded } from '../../events/types.ts';
import { isOutside } from '../../platform/inside.ts';
import type { Project } from '../../project/open.ts';
import { context } from '../../projections/folds/context.ts';
import type { FileRecord } from '../../projections/folds/files.ts';
import type { Place } from '../../projections/order.ts';
import { fileOf, isObject } from '../../projections/tools-text.ts';
import { type Of, stepsOf } from './calls.ts';

/** What the journal has of a file: a call of a file tool that succeeded, a decision of `ben10 merge`, or what stands in for removed events. */
export type FileFact = { name: string; seq: number; place: Place | null } & (
  | FileCall
  | { merged: ContextMerged['files'][number]; movedTo: string | undefined }
  | { record: FileRecord }
);

interface FileCall {
  tool: string;
  input: Record<string, unknown>;
  response: unknown;
  session: string;
  at: number;
}

const TOOLS = new Set(['Read', 'Write', 'Edit', 'MultiEdit', 'NotebookEdit']);

/** In the order in which it happened. */
export function fileFacts(
  project: Project,
  of: Of,
  nameOf: NameOf = namesIn(project.dir),
): FileFact[] {
  const found = [...removed(project, of.session, nameOf)];
  const types = ['tool.succeeded', 'context.merged'] as const;
  for (const { fact, place, call } of stepsOf(project, of, TOOLS, types)) {
    const { seq, at } = fact;
    const session = fact.session!;
    if (call === undefined) {
      for (const merged of (fact.data as ContextMerged).files) {
        const movedTo = merged.movedTo === undefined ? undefined : nameOf(merged.movedTo, session);
        found.push({ name: nameOf(merged.path, session), seq, place, merged, movedTo });
      }
      continue;
    }
    const { name: tool, input } = call;
    const file = fileOf(input);
    if (file === undefined || !isObject(input)) continue;
    const { response } = fact.data as ToolSucceeded;
    found.push({ name: nameOf(file, session), seq, at, session, place, tool, input, response });
  }
  return found;
}

function* removed(
  { states }: Project,
  asked: string | undefined,
  nameOf: NameOf,
): Generator<FileFact> {
  for (const session of states.basedSessions()) {
    if (asked !== undefined && session !== asked) continue;
    for (const record of Object.values(states.based(context, session)?.state.files.files ?? {}))
      yield { name: nameOf(record.path, session), seq: record.lastSeq, place: null, record };
  }
}

export type NameOf = (file: string, session: string) => string;

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
