import path from 'node:path';
import type { ContextCompacting } from '../events/types.ts';
import { readFile } from '../platform/files.ts';
import { nodeFs } from '../platform/fs.ts';
import { homeFolder } from '../platform/project-folder.ts';
import type { Project } from '../project/open.ts';
import { contextUse } from '../projections/folds/context-use.ts';

const SETTINGS_BYTES_MAX = 1024 * 1024;
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

/** As Claude Code 2.1 reads it: one's own settings of the project, the team's, the user's; variables before them. */
function compactingBy(dir: string, env: NodeJS.ProcessEnv): ContextCompacting {
  const user = env.CLAUDE_CONFIG_DIR || path.join(homeFolder(env), '.claude');
  const files = [
    path.join(dir, '.claude/settings.local.json'),
    path.join(dir, '.claude/settings.json'),
    path.join(user, 'settings.json'),
  ].map(objectIn);
  const set = (name: string) => files.map((file) => file[name]).find((one) => one !== undefined);
  const variables = [env, ...files.map((file) => objectOf(file.env))];
  const said = (name: string) => variables.map((of) => of[name]).find((one) => one !== undefined);
  const isOn = (name: string) => /^(1|true|yes|on)$/i.test(String(said(name)));
  const isOff =
    isOn('DISABLE_AUTO_COMPACT') || isOn('DISABLE_COMPACT') || set('autoCompactEnabled') === false;
  const ofVariable = numberOf(said('CLAUDE_CODE_AUTO_COMPACT_WINDOW'));
  const ofSetting = numberOf(set('autoCompactWindow'));
  const isAllowed = ofSetting !== undefined && ofSetting >= WINDOW.min && ofSetting <= WINDOW.max;
  const window = ofVariable ?? (isAllowed ? ofSetting : undefined);
  const percent = numberOf(said('CLAUDE_AUTOCOMPACT_PCT_OVERRIDE'));
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

const objectOf = (value: unknown): Environment =>
  typeof value === 'object' && value !== null ? (value as Environment) : {};

/** Settings that are missing or damaged say nothing. */
function objectIn(file: string): Environment {
  try {
    const text = readFile(nodeFs, file, SETTINGS_BYTES_MAX).toString('utf8');
    return objectOf(JSON.parse(text.replace(/^\ufeff/, '')));
  } catch {
    return {};
  }
}
