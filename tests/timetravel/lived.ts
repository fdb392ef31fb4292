import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { observeHook } from '../../src/capture/claude/hooks.ts';
import { nameByOrder } from '../../src/capture/naming.ts';
import { reconcile } from '../../src/capture/reconcile.ts';
import { findTranscripts } from '../../src/capture/transcripts.ts';
import type { Project } from '../../src/project/open.ts';
import { cursors } from '../../src/projections/folds/cursors.ts';
import { realClient } from './project.ts';

interface Arrival {
  at: string;
  event: string;
  /** Lines of each transcript that were on disk. */
  lines: Record<string, number>;
}

const RECONCILING = new Set(['SessionStart', 'PreCompact', 'Stop', 'SessionEnd']);

/**
 * Lives a recorded session again: each hook is recorded when it came, and the transcripts are read as far as they
 * were on disk then.
 * @param moment called after each hook
 */
export function lived(
  project: Project,
  name: string,
  moment: (hook: number) => void = () => undefined,
): Project {
  const folder = realClient(name);
  const hooks = linesOf(path.join(folder, 'hooks.jsonl'));
  const arrivals = linesOf(path.join(folder, 'arrivals.jsonl'));
  for (const [index, line] of hooks.entries()) {
    const { at, event, lines } = JSON.parse(arrivals[index]!) as Arrival;
    record(project, JSON.parse(line), Date.parse(at));
    if (RECONCILING.has(event)) reconcileAll(project, grown(project, folder, lines));
    moment(index);
  }
  reconcileAll(project, path.join(folder, 'projects'));
  return project;
}

const linesOf = (file: string): string[] => readFileSync(file, 'utf8').split('\n').filter(Boolean);

function record(project: Project, input: Record<string, unknown>, at: number): void {
  const seen = observeHook(String(input.hook_event_name), input, at);
  if (seen === undefined) return;
  const named = nameByOrder(seen, project.states.at(cursors, seen.session).state, (text) =>
    project.recorder.kept(text),
  );
  if (named !== undefined) project.recorder.append([project.recorder.event(named, 'hook')]);
}

/** The transcripts as far as they were written by then, in a folder of the project's own. */
function grown(project: Project, folder: string, lines: Arrival['lines']): string {
  const to = path.join(project.dir, 'transcripts');
  mkdirSync(to, { recursive: true });
  for (const { path: from } of findTranscripts(project.ports.fs, path.join(folder, 'projects'))) {
    const key = Object.keys(lines).find((name) => from.endsWith(name));
    const copy = path.join(to, path.relative(path.join(folder, 'projects'), from));
    mkdirSync(path.dirname(copy), { recursive: true });
    const there = key === undefined ? [] : linesOf(from).slice(0, lines[key]);
    if (there.length > 0) writeFileSync(copy, there.map((line) => `${line}\n`).join(''));
  }
  return to;
}

function reconcileAll(project: Project, folder: string): void {
  const { ports, reader, recorder, states } = project;
  for (const source of findTranscripts(ports.fs, folder)) {
    const state = states.at(cursors, source.session).state;
    reconcile({ ports, reader, recorder, cursors: state, ...source, source: 'transcript' });
  }
}
