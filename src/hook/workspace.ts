import { text } from '../capture/json.ts';
import type { Ben10Config } from '../platform/config/keys.ts';
import type { Project } from '../project/open.ts';
import { heldBefore, isUnanswered } from '../recall/moment.ts';
import { lookAtHead } from '../workspace/head.ts';
import { newsFor } from '../workspace/news.ts';
import { placeOf } from '../workspace/place.ts';
import { recoverySection } from '../workspace/recovery.ts';
import { savedWork } from '../workspace/saved.ts';
import { saveWork } from '../workspace/work.ts';
import { complaintOf } from './complaint.ts';

type Input = Record<string, unknown>;

/**
 * Saves the state of the work before a compaction; the task that was said stays.
 * @returns what went wrong, one line: the compaction goes on
 * @throws STATES_BEHIND, for the hook to say: it goes on the next time
 */
export function keepWork(
  project: Project,
  event: string,
  input: Input,
  session: string,
): string | undefined {
  if (event !== 'PreCompact') return undefined;
  try {
    saveWork(project, { trigger: 'pre-compact', cwd: text(input.cwd), session, source: 'hook' });
    return undefined;
  } catch (error) {
    return complaintOf('the state of the work was not saved', error);
  }
}

/** What is said of the environment beside what recall gives back; empty when there is nothing. */
export function environmentText(
  project: Project,
  event: string,
  input: Input,
  session: string,
  config: Ben10Config,
): string {
  const place = placeOf(project.dir, text(input.cwd));
  const { maxChars } = config.recall;
  const isCompacted = event === 'SessionStart' && text(input.source) === 'compact';
  if (isCompacted || (event === 'UserPromptSubmit' && isUnanswered(project, session))) {
    // The same state as what was said and done is given back of: it is folded once.
    const held = heldBefore(project, session);
    return recoverySection(project, config.workspace, { place, session, held, maxChars });
  }
  if (event === 'SessionStart') return savedWork(project, place, maxChars);
  if (event !== 'UserPromptSubmit') return '';
  // Nobody may have looked since, and the next look may be a minute away.
  if (config.workspace.git.enabled) lookAtHead(project, place, session);
  const news = newsFor(project, place, session);
  if (news === undefined) return '';
  // Before it is printed: it is told once.
  const { recorder } = project;
  const told = { worktree: place.worktree, upto: news.upto, chars: news.text.length };
  recorder.append([recorder.ownEvent('environment.told', session, told, 'hook')]);
  return news.text;
}
