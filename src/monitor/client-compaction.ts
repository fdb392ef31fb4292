import path from 'node:path';
import type { ContextCompacting } from '../events/types.ts';
import { fieldsOfFile } from '../platform/json-file.ts';
import { homeFolder } from '../platform/project-folder.ts';
import type { Project } from '../project/open.ts';
import { contextUse } from '../projections/folds/context-use.ts';

/** The client takes no other window from its settings. */
const WINDOW = { min: 100_000, max: 1_000_000 };

type Environment = Readonly<Record<string, unknown>>;

/** Notes what the client's settings say of its compactions, where that is news. */
export function noteCompacting(project: Project, session: string): void {
  const known = project.states.at(contextUse, session).state.compacting;
  const now = compactingBy(project.dir, process.env);
  const said = ({ isOff, window, percent }: ContextCompacting) => [isOff, window, percent].join();
  if (said(now) === said(known ?? {})) return;
  const { recorder } = project;
  recorder.append([recorder.ownEvent('context.compacting', session, now, 'hook')]);
}

/** As Claude Code 2.1 reads it: the user's settings, over them the team's, one's own of the project, and variables. */
function compactingBy(dir: string, env: NodeJS.ProcessEnv): ContextCompacting {
  const user = env.CLAUDE_CONFIG_DIR || path.join(homeFolder(env), '.claude');
  const files = [
    path.join(user, 'settings.json'),
    path.join(dir, '.claude/settings.json'),
    path.join(dir, '.claude/settings.local.json'),
  ].map(fieldsOfFile);
  const settings: Environment = Object.assign({}, ...files);
  const variables: Environment = Object.assign({}, ...files.map((file) => file.env), env);
  const isOn = (name: string) => /^(1|true|yes|on)$/i.test(String(variables[name]));
  const isOff =
    isOn('DISABLE_AUTO_COMPACT') ||
    isOn('DISABLE_COMPACT') ||
    settings.autoCompactEnabled === false;
  const ofSetting = numberOf(settings.autoCompactWindow) ?? 0;
  const isAllowed = ofSetting >= WINDOW.min && ofSetting <= WINDOW.max;
  const window =
    numberOf(variables.CLAUDE_CODE_AUTO_COMPACT_WINDOW) ?? (isAllowed ? ofSetting : undefined);
  const percent = numberOf(variables.CLAUDE_AUTOCOMPACT_PCT_OVERRIDE);
  return {
    ...(isOff && { isOff }),
    ...(window !== undefined && { window: Math.floor(window) }),
    ...(percent !== undefined && percent <= 100 && { percent }),
  };
}

/** Above zero. */
function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' ? Number.parseFloat(value) : value;
  const isUsable = typeof number === 'number' && number > 0 && Number.isFinite(number);
  return isUsable ? number : undefined;
}
