import type { TrackerSettings } from '../platform/config/keys.ts';
import { isThere, runner } from '../platform/programs/run.ts';
import { withTimeLimit } from '../platform/time-limit.ts';
import type { Project } from '../project/open.ts';
import { TrackerError } from './failure.ts';
import type { Tracker } from './linear.ts';

const TIMEOUT_MS = 10_000;
const QUIET = { GH_PROMPT_DISABLED: '1', GH_NO_UPDATE_NOTIFIER: '1', NO_COLOR: '1' };

interface View {
  title: string;
  state: string;
  url: string;
  labels: { name: string }[];
  comments: { body: string; url: string; viewerDidAuthor: boolean }[];
}

/** By `gh`, which has the user's own login. A comment is found again by a mark in it. */
export function github(
  { dir }: Project,
  { label }: TrackerSettings,
  env: Readonly<Record<string, string | undefined>>,
  signal?: AbortSignal,
): Tracker {
  if (!isThere('gh', env)) throw new TrackerError('no-gh');
  const gh = (...args: string[]): Promise<string | undefined> =>
    withTimeLimit(TIMEOUT_MS, signal, (either) =>
      runner(either, { ...env, ...QUIET })('gh', args, dir),
    );
  const must = async (...args: string[]): Promise<string> => {
    const said = await gh(...args);
    if (said === undefined) throw new TrackerError('no-answer');
    return said;
  };
  return {
    async deliver({ issue, effects }, { seen, done }) {
      const [, n] = /^#?(\d{1,9})$/.exec(issue) ?? [];
      if (n === undefined) throw new TrackerError('no-issue');
      const view = viewIn(await must('issue', 'view', n, '--json', FIELDS));
      seen(view);
      for (const effect of effects) {
        if (effect.kind === 'comment') {
          const mark = `<!-- ben10 ${effect.id} -->`;
          const own = view.comments.find((one) => one.viewerDidAuthor && one.body.includes(mark));
          const [, id] = /#issuecomment-(\d+)$/.exec(own?.url ?? '') ?? [];
          const body = `${effect.text()}\n\n${mark}`;
          const comment = `repos/{owner}/{repo}/issues/comments/${id}`;
          if (id === undefined) await must('issue', 'comment', n, `--body=${body}`);
          else await must('api', '--method=PATCH', comment, `--raw-field=body=${body}`);
        } else if (label !== '' && !view.labels.some(({ name }) => name === label)) {
          const add = ['issue', 'edit', n, `--add-label=${label}`] as const;
          if ((await gh(...add)) === undefined) {
            await gh('label', 'create', label);
            await must(...add);
          }
        }
        done(effect);
      }
    },
  };
}

const FIELDS = 'title,state,url,labels,comments';

function viewIn(text: string): View {
  try {
    return JSON.parse(text) as View;
  } catch {
    throw new TrackerError('refused');
  }
}
