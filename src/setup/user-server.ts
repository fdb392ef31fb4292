import { spawnSync } from 'node:child_process';
import { SERVER_NAME } from './hooks-table.ts';

const TIMEOUT_MS = 20_000;

/** The client's own command: the file with servers of all projects holds much else, and may be written at any time. */
export const userServerCommand = (uninstall: boolean): string =>
  ['claude', ...(uninstall ? REMOVE : ADD)].join(' ');

const ADD = ['mcp', 'add', '--scope', 'user', SERVER_NAME, '--', 'ben10', 'serve'] as const;
const REMOVE = ['mcp', 'remove', '--scope', 'user', SERVER_NAME] as const;

/** Lets the client add or remove the server of all projects. Returns whether it is as asked for. */
export function setUserServer(uninstall: boolean, cwd: string, env: NodeJS.ProcessEnv): boolean {
  const { status, stdout, stderr } = spawnSync('claude', uninstall ? REMOVE : ADD, {
    cwd,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
    windowsHide: true,
  });
  const isSo = uninstall ? /\bno (?:\w+-scoped )?mcp server/i : /already exists/i;
  return status === 0 || isSo.test(`${stdout}${stderr}`);
}
