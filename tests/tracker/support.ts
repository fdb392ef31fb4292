import { journalRange } from '../../src/journal/read/range.ts';
import type { TrackerSettings } from '../../src/platform/config/keys.ts';
import { randomHex, systemRandom } from '../../src/platform/random.ts';
import type { Project } from '../../src/project/open.ts';
import { deliverDue, type Round } from '../../src/tracker/deliver.ts';
import type { Settings } from '../../src/tracker/wanted.ts';
import { openTestProject } from '../support.ts';
import { KEY, type Linear } from './linear-server.ts';

export const TRACKED: TrackerSettings = {
  kind: 'linear',
  send: 'document',
  label: 'context-checkpointed',
  linear: { state: '' },
};

export const settingsOf = (tracker: Partial<TrackerSettings> = {}, commit = false): Settings => ({
  tracker: { ...TRACKED, ...tracker },
  handoff: { commit },
  monitor: {
    levels: { l1: 70, l2: 85, l3: 95 },
    window: 0,
    compactAt: 'auto',
    wip: 'branch',
    stopHintAt: 0,
    budgetUsd: 0,
    issuePattern: '\\b[A-Z]+-[0-9]+\\b',
  },
});

export const trackedProject = (dir?: string): Project => openTestProject(dir, { tracker: TRACKED });

interface Handed {
  session?: string | null;
  issue?: string;
  percent?: number;
  steps?: string[];
  text?: string;
  file?: string;
  branch?: string;
}

/** A checkpoint with its handoff, as the journal has it. @returns its id */
export function handOff(project: Project, given: Handed = {}): string {
  const { recorder, ports, reader } = project;
  const { session = 'session-1', issue = 'ENG-1', percent = 86, steps = ['Split it'] } = given;
  const { text = '# Session Handoff\n', file = '.claude/handoffs/2026-01-07-1145.md' } = given;
  const checkpoint = randomHex(systemRandom, 8);
  const both = { checkpoint, level: 'L2' as const, percent, worktree: '.' };
  const begun = { ...both, trigger: 'turn-end' as const, epoch: 'start', issue };
  const more = { sha256: 'ab'.repeat(32), upto: 1, chain: 'cd'.repeat(32), title: 'Checkpoint' };
  const as = { type: 'change' as const, concepts: [], claims: [] };
  const branch = given.branch === undefined ? {} : { branch: given.branch };
  const created = { ...both, ...more, ...as, ...branch, file, nextSteps: steps, text };
  recorder.append([
    recorder.ownEvent('checkpoint.begun', session, begun, 'hook'),
    recorder.ownEvent('handoff.created', session, created, 'hook'),
  ]);
  if (journalRange(ports, reader).last === 0) throw new Error('nothing was appended');
  return checkpoint;
}

export const deliver = (
  project: Project,
  linear: Linear,
  settings = settingsOf(),
  { isAsked = true, key = KEY } = {},
): Promise<Round> => {
  const env = { LINEAR_API_KEY: key, BEN10_LINEAR_URL: linear.url };
  return deliverDue(project, settings, { env, isAsked, source: 'cli' });
};
