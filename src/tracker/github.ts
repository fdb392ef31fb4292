import * as f from '../events/fields.ts';
import { isOf } from '../events/shape.ts';
import type { TrackerSettings } from '../platform/config/keys.ts';
import { isThere, runner } from '../platform/programs/run.ts';
import { withTimeLimit } from '../platform/time-limit.ts';
import type { Project } from '../project/open.ts';
import type { Tracker } from './deliver.ts';
import { TrackerError } from './failure.ts';

const TIMEOUT_MS = 10_000;
const QUIET = { GH_PROMPT_DISABLED: '1', GH_NO_UPDATE_NOTIFIER: '1', NO_COLOR: '1' };

const FIELDS = 'title,state,labels,comments';
const VIEW = f.object({
  title: f.words,
  state: f.words,
  labels: f.list(f.object({ name: f.words })),
  comments: f.list(f.object({ body: f.words, url: f.words, viewerDidAuthor: f.flag })),
});
type View = f.TypeOf<typeof VIEW>;

/** By `gh`, which has the user's own login. A comment is found again by a mark in it. @throws TrackerError */
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
  const comment = async (n: string, { comments }: View, id: string, text: string) => {
    const mark = `<!-- ben10 ${id} -->`;
    const own = comments.find((one) => one.viewerDidAuthor && one.body.includes(mark));
    const [, known] = /#issuecomment-(\d+)$/.exec(own?.url ?? '') ?? [];
    const body = `${text}\n\n${mark}`;
    const place = `repos/{owner}/{repo}/issues/comments/${known}`;
    if (known === undefined) await must('issue', 'comment', n, `--body=${body}`);
    else await must('api', '--method=PATCH', place, `--raw-field=body=${body}`);
  };
  const addLabel = async (n: string, { labels }: View) => {
    if (label === '' || labels.some(({ name }) => name === label)) return;
    const add = ['issue', 'edit', n, `--add-label=${label}`] as const;
    if ((await gh(...add)) !== undefined) return;
    await gh('label', 'create', label);
    await must(...add);
  };
  return async (issue) => {
    const [, n] = /^#?(\d{1,9})$/.exec(issue) ?? [];
    if (n === undefined) throw new TrackerError('no-issue');
    const view = viewIn(await must('issue', 'view', n, '--json', FIELDS));
    return {
      ...view,
      async perform(effect) {
        if (effect.kind === 'comment') await comment(n, view, effect.id, effect.text());
        else await addLabel(n, view);
        return undefined;
      },
    };
  };
}

function viewIn(text: string): View {
  try {
    const view: unknown = JSON.parse(text);
    if (isOf(view, VIEW)) return view as View;
  } catch {
    // No JSON.
  }
  throw new TrackerError('refused');
}
