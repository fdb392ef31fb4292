import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { JournalEvent } from '../../src/events/types.ts';
import { type MonitorView, viewFile } from '../../src/monitor/view.ts';
import type { Project } from '../../src/project/open.ts';
import { readEvents } from '../../src/projections/events.ts';
import { repository, writeIn } from '../packs/repository.ts';
import { openTestProject } from '../support.ts';
import { saw, tell } from '../tell.ts';
import { git } from './random-repository.ts';

/** What hooks and the status line know of session `s`: it stands at L2, and its checkpoint is due. */
const DUE: MonitorView = {
  version: 1,
  session: 's',
  epoch: 'start',
  window: 200_000,
  l1: 70,
  l2: 85,
  l3: 95,
  compactAt: null,
  isCompactKnown: false,
  tokens: 172_000,
  percent: 86,
  level: 'L2',
  alerted: ['L2'],
  deferredUntil: null,
  checkpoint: { state: 'due', at: null, dueSince: 0, handoff: null },
  forecast: null,
  issue: 'ANV-123',
  phase: 'IMPL',
  loop: null,
};

export function see(dir: string, view: Partial<MonitorView> = {}): void {
  const file = viewFile(path.join(dir, '.ben10'), view.session ?? 's');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ ...DUE, ...view }));
}

/** A project on a branch of its own with a session that has work in progress. */
export function atWork(): Project {
  const dir = repository({ 'a.txt': 'a\n', '.gitignore': '.ben10/\n' });
  git(dir, ['checkout', '-q', '-b', 'feature/ANV-123']);
  const project = openTestProject(dir);
  works(project);
  writeIn(dir, { 'a.txt': 'b\n', 'new.txt': 'new\n' });
  return project;
}

let prompts = 0;
export function works(project: Project): void {
  prompts += 1;
  tell(
    project,
    saw(
      'prompt.submitted',
      { text: `step ${prompts}`, promptId: `p${prompts}` },
      { at: Date.now() },
    ),
  );
}

export const documentsIn = (dir: string): string[] => {
  try {
    return readdirSync(path.join(dir, '.claude/handoffs')).sort();
  } catch {
    return [];
  }
};

export const eventsOf = (project: Project, type: string): JournalEvent[] => [
  ...readEvents(project.reader, project.ports.xxh64, { types: [type] }),
];

export const textOf = (dir: string, file: string): string =>
  readFileSync(path.join(dir, file), 'utf8');
