import { type MonitorView, readView } from '../../monitor/view.ts';
import { type Newest, viewOf } from '../../monitor/write-view.ts';
import { loadUsableConfig } from '../../platform/config.ts';
import type { Project } from '../../project/open.ts';
import type { Ben10Context } from '../context.ts';

/** As hooks left it; of an imported session, which had none, from the journal. */
export function viewNow(
  project: Project,
  session: string,
  { env }: Pick<Ben10Context, 'env'>,
  sample?: Newest['sample'],
): MonitorView {
  const { monitor } = loadUsableConfig({ projectDir: project.dir, env }).config;
  return readView(project.root, session) ?? viewOf(project, session, monitor, { sample });
}
