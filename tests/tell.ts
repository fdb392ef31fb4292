import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { importTranscripts } from '../src/capture/import.ts';
import type { Observation } from '../src/capture/observation.ts';
import type { EventData, EventType } from '../src/events/types.ts';
import type { Project } from '../src/project/open.ts';

type Recording = Pick<Project, 'recorder'>;
type About = Partial<Pick<Observation, 'fact' | 'session' | 'agent' | 'at'>>;

/** What a witness saw: of session `s`, and without a name of the client's, unless it says otherwise. */
export const saw = <T extends EventType>(
  type: T,
  data: EventData[T],
  about: About = {},
): Observation<T> => ({ type, fact: null, session: 's', agent: null, at: 5, ...about, data });

/** A model's call, which held so many tokens. */
export const used = (messageId: string, inputTokens: number, about: About = {}) =>
  saw(
    'usage.sampled',
    {
      ...{ messageId, model: 'claude-opus-4-6', inputTokens, outputTokens: 1 },
      ...{ cacheCreationTokens: 0, cacheReadTokens: 0 },
    },
    { fact: `usage ${messageId}`, ...about },
  );

/** A tool call, and what came of it. */
export function ran(
  toolUseId: string,
  name: string,
  input: object,
  end: { response: unknown } | { error: string; exitCode?: number },
  about: About = {},
): Observation[] {
  const call = { toolUseId, name, input };
  const outcome = { ...about, fact: `outcome ${toolUseId}` };
  return [
    saw('tool.called', call, { ...about, fact: `call ${toolUseId}` }),
    'error' in end
      ? saw('tool.failed', { ...call, ...end }, outcome)
      : saw('tool.succeeded', { ...call, ...end }, outcome),
  ];
}

/** Records what hooks saw. */
export function tell({ recorder }: Recording, ...seen: readonly Observation[]): void {
  recorder.append(seen.map((one) => recorder.event(one, 'hook')));
}

/** Imports a transcript of these records, of session `s` unless it has another name. */
export function importRecords(project: Project, records: readonly string[], name = 's'): Project {
  const file = path.join(project.dir, `${name}.jsonl`);
  writeFileSync(file, records.join(''));
  importInto(project, file);
  return project;
}

/** Imports transcripts, files or folders. */
export const importInto = (project: Project, ...paths: string[]) =>
  importTranscripts({ ...project, paths });
