import { fact } from '../events/identity.ts';
import type { Injection } from '../project/doors.ts';
import type { Project } from '../project/open.ts';
import { taskSizes } from '../projections/folds/task-sizes.ts';
import { contained, oneLine } from '../projections/safe-text.ts';
import { type Estimate, estimateOf, hasRoom, specIn } from './estimate.ts';
import { filesNamed, thousands } from './size.ts';

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
      const spec = specIn(project, file);
      const { told } = project.states.at(taskSizes, session).state;
      if (spec === undefined || told.includes(file)) continue;
      if (!PLAN.test(file) && !BOX.test(spec)) continue;
      const where = { project, settings: config.monitor, session };
      const found = estimateOf(where, spec, { sessions: SESSIONS_LEARNT });
      const isPlan = found.features.items >= ITEMS_MIN && found.shards.length > 0;
      if (!isPlan || hasRoom(found)) continue;
      const text = warning(project, file, found, Math.min(CHARS_MAX, room.left));
      if (text === undefined) return undefined;
      const { tokens, low, high, window, features } = found;
      const size = { tokens, low, high, window, features: { ...features } };
      const event = { key: file, subject: file, ...size };
      const name = fact.monitor('size', file, '');
      const { recorder } = project;
      return { text, told: recorder.ownEvent('task.estimated', session, event, 'hook', name) };
    }
    return undefined;
  },
};

/** As many shards as there is room for. */
function warning({ tracker }: Project, file: string, found: Estimate, most: number) {
  const { tokens, low, high, window, used, share, shards } = found;
  const fits =
    tokens <= window && tokens > window - used
      ? `It may not fit: ${Math.round((100 * used) / window)}% of the context is used.`
      : 'That is much for one session.';
  const head = [
    '<ben10-context-size>',
    `${contained(oneLine(file))} is about ${thousands(tokens)} tokens of work (80%: ${thousands(low)} to ${thousands(high)}), ${share}% of the window. ${fits}`,
    `Shard it (\`ben10 shard\`${tracker.kind === 'linear' ? ', with `--issues` as sub-issues in Linear' : ''}) or checkpoint first. To go on anyway: just go on.`,
  ];
  const parts = shards.map(({ title, items, tokens: size }, index) => {
    const about = contained(oneLine(title)).slice(0, TITLE_CHARS);
    return `${index + 1}. ${items.length} items, ${thousands(size)}: ${about}`;
  });
  if (parts.length === 1) parts.pop();
  for (let shown = parts.length; shown >= 0; shown -= 1) {
    const more = shown < parts.length ? [`and ${parts.length - shown} more`] : [];
    const said = [...head, ...parts.slice(0, shown), ...more, '</ben10-context-size>'].join('\n');
    if (said.length <= most) return said;
  }
  return undefined;
}
