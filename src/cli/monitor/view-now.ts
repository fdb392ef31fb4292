import type { ContextSampled } from '../../events/types.ts';
import { queryLog } from '../../log/query.ts';
import { momentOf } from '../../monitor/moments.ts';
import { type MonitorView, readView } from '../../monitor/view.ts';
import { windowOf } from '../../monitor/window.ts';
import { type Newest, viewOf } from '../../monitor/write-view.ts';
import { loadUsableConfig } from '../../platform/config.ts';
import { transcriptOf } from '../../project/catch-up.ts';
import type { Project } from '../../project/open.ts';
import { contextUse } from '../../projections/folds/context-use.ts';
import { sessionsAt } from '../../timetravel/sessions.ts';
import type { Ben10Context } from '../context.ts';

type Environment = Pick<Ben10Context, 'env'>;

/** As hooks left it; of an imported session, which had none, from the journal. */
export function viewNow(
  project: Project,
  session: string,
  { env }: Environment,
  sample?: Newest['sample'],
): MonitorView {
  const { monitor } = loadUsableConfig({ projectDir: project.dir, env }).config;
  return readView(project.root, session) ?? viewOf(project, session, monitor, { sample });
}

export type ContextNow = NonNullable<ReturnType<typeof contextNow>>;

/** All that is known of a session's context, null where it is not: as the client said it last, else as its transcript did. */
export function contextNow(project: Project, asked: string | undefined, context: Environment) {
  const { session: known } = transcriptOf(project, asked);
  const about = { types: ['context.sampled'], limit: 1, ...(known && { session: known }) };
  const [said] = queryLog(project, about);
  const session = said?.session ?? known;
  if (session === undefined) return undefined;
  const told = said?.data as ContextSampled | undefined;
  const view = viewNow(project, session, context, told);
  const { percent, tokens, window } = { ...view, ...told };
  if (percent === null) return undefined;
  const { model, work } = project.states.at(contextUse, session).state;
  const { from: windowFrom } = windowOf(model ?? undefined);
  const lastAt = () => sessionsAt(project).find((one) => one.session === session)?.lastAt;
  return {
    ...{ session, at: said?.at ?? lastAt() ?? null, percent, tokens: tokens ?? null, window },
    ...{ windowFrom, via: 'transcript', model, costUsd: null, limits: null, ...told },
    ...{ view, moment: momentOf(work) },
  };
}
