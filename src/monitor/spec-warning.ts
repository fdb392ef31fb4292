import { fact } from '../events/identity.ts';
import type { HookMoment, Injection } from '../project/doors.ts';
import type { Project } from '../project/open.ts';
import { taskSizes } from '../projections/folds/task-sizes.ts';
import { contained, oneLine } from '../projections/safe-text.ts';
import { type Estimate, estimateOf, hasRoom, specIn } from './estimate.ts';
import { filesNamed } from './size.ts';

const CHARS_MAX = 900;
/** A text that may be a spec or a plan. */
export const isDocument = (file: string): boolean =>
  /\.(?:md|mdx|markdown|txt|rst|adoc)$/i.test(file);
/** Fewer things to do are no plan. */
const ITEMS_MIN = 3;
/** What lists things to do is called so, or has boxes to tick. A README, a skill, or a report lists what is. */
const PLAN =
  /(?<![a-z])(?:specs?|specifications?|plans?|prds?|rfcs?|todos?|tasks?|backlog|roadmap|requirements?|design|epics?|stor(?:y|ies)|proposals?|milestones?)(?![a-z])/i;
const BOX = /^\s{0,12}[-*+] \[ \] /m;
const FILES_MAX = 5;
const TITLE_CHARS = 60;
/** A hook has no time to fold more. */
const SESSIONS_LEARNT = 4;

/** Where a prompt names a spec or a plan that will hardly fit, says so once. Never stops anything. */
export const specWarning: Injection = {
  on: ['UserPromptSubmit'],
  worth: 1,
  failed: 'the size of the task was not estimated',
  render(project, moment, room) {
    const { session, prompt = '', config } = moment;
    const files = filesNamed(prompt).filter(isDocument);
    for (const file of files.slice(0, FILES_MAX)) {
      const text = specIn(project, file);
      if (text === undefined || isTold(project, session, file)) continue;
      if (!PLAN.test(file) && !BOX.test(text)) continue;
      const where = { project, settings: config.monitor, session };
      const found = estimateOf(where, text, { sessions: SESSIONS_LEARNT });
      const isPlan = found.features.items >= ITEMS_MIN && found.shards.length > 0;
      if (!isPlan || hasRoom(found)) continue;
      const hasIssues = project.tracker.kind === 'linear';
      const said = warning(file, found, Math.min(CHARS_MAX, room.left), hasIssues);
      if (said === undefined) return undefined;
      return { text: said, told: toldOf(project, session, file, found) };
    }
    return undefined;
  },
};

const isTold = (project: Project, session: string, file: string): boolean =>
  project.states.at(taskSizes, session).state.told.includes(file);

function toldOf(
  { recorder }: Project,
  session: HookMoment['session'],
  file: string,
  { tokens, low, high, window, features }: Estimate,
) {
  const data = { key: file, subject: file, tokens, low, high, window, features: { ...features } };
  return recorder.ownEvent('task.estimated', session, data, 'hook', fact.monitor('size', file, ''));
}

/** As many shards as there is room for. */
function warning(
  file: string,
  found: Estimate,
  most: number,
  hasIssues: boolean,
): string | undefined {
  const { tokens, low, high, window, used, share, shards } = found;
  const name = contained(oneLine(file));
  const percent = (part: number) => Math.round((100 * part) / window);
  const fits =
    tokens <= window && tokens > window - used
      ? `It may not fit: ${percent(used)}% of the context is used.`
      : 'That is much for one session.';
  const head = [
    `${name} is about ${thousands(tokens)} tokens of work (80%: ${thousands(low)} to ${thousands(high)}), ${share}% of the window. ${fits}`,
    `Shard it (\`ben10 shard\`${hasIssues ? ', with `--issues` as sub-issues in Linear' : ''}) or checkpoint first. To go on anyway: just go on.`,
  ];
  const parts =
    shards.length === 1
      ? []
      : shards.map(({ title, items, tokens: size }, index) => {
          const about = contained(oneLine(title)).slice(0, TITLE_CHARS);
          return `${index + 1}. ${items.length} items, ${thousands(size)}: ${about}`;
        });
  const textOf = (some: readonly string[]) =>
    ['<ben10-context-size>', ...head, ...some, '</ben10-context-size>'].join('\n');
  const rest = (count: number) => (count === 0 ? [] : [`and ${count} more`]);
  for (let shown = parts.length; shown >= 0; shown -= 1) {
    const said = textOf([...parts.slice(0, shown), ...rest(parts.length - shown)]);
    if (said.length <= most) return said;
  }
  return undefined;
}

const thousands = (tokens: number): string =>
  tokens < 1000 ? String(tokens) : `${Math.round(tokens / 1000)}k`;
