/**
 * Runs the real client as a person has it: in a terminal, which `script` makes. Some of what it does it does only there, such
 * as to read what a prompt mentions.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { clientAvailable } from './client-install.ts';
import { MODEL } from './run-client.ts';
import { clientEnvironment, type Sandbox } from './sandbox.ts';
import { forProject, type ModelRequest, type Scenario } from './scenario.ts';
import { type ClientExit, openStage } from './stage-process.ts';

/** Whatever takes this long hangs. Milliseconds. */
const TIMEOUT_MS = 90_000;
const POLL_MS = 100;
const ANSWER_EVERY_MS = 2000;
/** Escape sequences: colours, and where on the screen something is drawn. */
const ESCAPES = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[a-zA-Z]`, 'g');

export interface Terminal {
  /** Every request so far. */
  requests: ModelRequest[];
  /** All that was drawn so far; words that are apart on the screen may have no space between them here. */
  screen(): string;
  /** Types a line, and sends it when it stands on the screen. */
  enter(line: string): Promise<void>;
  /** @throws when it is not so in time, with what is on the screen */
  until(what: string, isSo: () => boolean): Promise<void>;
  done: Promise<ClientExit>;
}

/** As most people run it; the client asks nothing about servers where all permissions are given. */
export const ASKING = '--permission-mode acceptEdits --allowedTools Bash Read';

/**
 * Starts the client in a terminal, and returns when it takes a prompt. A question about a server is answered as by default: no.
 * The model takes `thinkMs` for each answer.
 */
export async function startTerminal(
  sandbox: Sandbox,
  scenario: Scenario,
  { permissions = '--dangerously-skip-permissions', thinkMs = 0 } = {},
): Promise<Terminal> {
  const available = clientAvailable();
  if (!available.ok) throw new Error(`The real client cannot be driven here: ${available.why}`);
  answerDialogs(sandbox);
  const drawn = `${sandbox.root}/screen`;
  const command = `${available.binary} --model ${MODEL} ${permissions}`;
  const requests: ModelRequest[] = [];
  const play = {
    scenario: forProject(scenario, sandbox.project),
    client: {
      binary: 'script',
      args: ['--quiet', '--flush', '--return', '--command', command, drawn],
      cwd: sandbox.project,
      // Otherwise the first request does not wait for servers to be connected.
      env: { ...clientEnvironment(sandbox), SHELL: '/bin/sh', MCP_CONNECTION_NONBLOCKING: '0' },
    },
  };
  const stage = openStage(play, TIMEOUT_MS, {
    onLine: () => undefined,
    onRequest: async (request) => {
      requests.push(request);
      await setTimeout(thinkMs);
    },
  });
  stage.exited.catch(() => {}); // who waits for `done` is told
  await stage.started;
  const screen = () => (existsSync(drawn) ? readFileSync(drawn, 'utf8').replace(ESCAPES, '') : '');
  const until = async (what: string, isSo: () => boolean) => {
    const end = Date.now() + TIMEOUT_MS;
    while (!isSo()) {
      if (Date.now() > end) throw new Error(`not seen: ${what}, in\n${screen()}`);
      await setTimeout(POLL_MS);
    }
  };
  const enter = async (line: string) => {
    const word = line.trim().split(' ').at(-1)!;
    const before = screen().length;
    stage.stdin.write(line);
    await until(line, () => screen().slice(before).includes(word));
    stage.stdin.write('\r');
  };
  let answeredAt = Date.now();
  await until('a prompt', () => {
    if (screen().includes('shift+tab')) return true;
    // The client ignores keys that come at once; at the prompt another one does nothing.
    if (screen().includes('Entertoconfirm') && Date.now() - answeredAt > ANSWER_EVERY_MS) {
      answeredAt = Date.now();
      stage.stdin.write('\r');
    }
    return false;
  });
  return { requests, screen, enter, until, done: stage.exited };
}

/** Asked in a terminal alone: whether the key may be used. */
function answerDialogs({ home }: Sandbox): void {
  const file = `${home}/.claude.json`;
  const known = JSON.parse(readFileSync(file, 'utf8'));
  known.customApiKeyResponses = { approved: ['scripted-model-needs-no-key'.slice(-20)] };
  writeFileSync(file, JSON.stringify(known));
}
