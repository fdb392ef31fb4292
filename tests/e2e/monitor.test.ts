/** @module-tag long */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { clientAvailable, clientIsHere } from './driver/client-install.ts';
import { descendantsOf, signal } from './driver/processes.ts';
import { wholeText } from './driver/requests.ts';
import { MODEL } from './driver/run-client.ts';
import { startTerminal } from './driver/run-terminal.ts';
import { clientEnvironment, type Sandbox } from './driver/sandbox.ts';
import { type ModelRequest, PROJECT } from './driver/scenario.ts';
import { check, createTask, read, setTask } from './driver/sessions/calls.ts';
import { openStage } from './driver/stage-process.ts';
import { ben10, installed, logOf, ofType } from './support/recorded.ts';

const edit = {
  name: 'Edit',
  input: {
    file_path: `${PROJECT}/src/todo.js`,
    old_string: 'done: false',
    new_string: 'done: false, due',
  },
};
/** Of a session that has not read the file. */
const append = {
  name: 'Bash',
  input: { command: 'echo "// due" >> src/todo.js', description: 'Write it' },
};
const NEXT = 'Refuse dates of the past';
const mainRequests = (requests: readonly ModelRequest[]) =>
  requests.filter(({ kind }) => kind === 'main').map(wholeText);
const git = ({ project }: Sandbox, ...args: string[]) =>
  execFileSync('git', args, { cwd: project, encoding: 'utf8' }).trim();

/** As a fast model does; the server looks at a transcript twice a second. */
const THINK_MS = 700;
/** A window of 200,000 tokens is half as large for these: the client need not compact. */
const LEVELS = { l1: 40, l2: 60, l3: 80 };

describe.runIf(clientIsHere())('a context that fills up in the real client', () => {
  it.each(['mcp', 'command'])(
    'is told to the model, handed off as the turn ends, and gone on with after /clear and /orient; hooks: %s',
    async (hooks) => {
      const sandbox = installed();
      ben10(sandbox, 'init', '--hooks', hooks);
      for (const [level, percent] of Object.entries(LEVELS))
        ben10(sandbox, 'config', 'set', `monitor.levels.${level}`, String(percent));
      const scenario = {
        steps: [
          { text: 'I read the list.', tools: [read('src/todo.js')] },
          { text: 'I plan.', tools: [createTask('Add due dates', 'ISO dates')] },
          { text: 'And then.', tools: [createTask(NEXT, 'With a test')], inputTokens: 90_000 },
          { text: 'I begin.', tools: [setTask('1', 'in_progress')], inputTokens: 95_000 },
          { text: 'I write it.', tools: [edit], inputTokens: 125_000 },
          { text: 'I check it.', tools: [check], inputTokens: 126_000 },
          { text: 'It passes.', tools: [setTask('1', 'completed')], inputTokens: 126_500 },
          { text: 'Due dates are there.', inputTokens: 127_000 },
          { text: 'Well.' },
          { text: 'I go on with the dates.' },
        ],
      };
      const { requests, enter, until, screen, done } = await startTerminal(sandbox, scenario, {
        thinkMs: THINK_MS,
      });
      const ends = () => ofType(logOf(sandbox), 'turn.ended').length;
      await enter('Add due dates.');
      await until('the end of the turn', () => ends() === 1);
      const seen = mainRequests(requests);
      expect(seen).toHaveLength(8);
      const first = (level: string) =>
        seen.findIndex((text) => text.includes(`<ben10-context-${level}>`));
      // Behind the call that crossed it, or one of the next two: the client writes its transcript later, and the server has 5 ms.
      const [l1, l2] = [first('L1'), first('L2')];
      expect([3, 4, 5]).toContain(l1);
      expect([5, 6, 7]).toContain(l2);
      // Told once, and the text stays in the conversation.
      for (const level of ['L1', 'L2'])
        expect(seen.at(-1)!.split(`<ben10-context-${level}>`)).toHaveLength(2);
      await until('what the status line says', () => /\[CTX:.*6[34]%.*L2\]/.test(screen()));

      await until('the handoff', () => existsSync(`${sandbox.project}/.claude/handoffs`));
      await until('the status line that names it', () => screen().includes('/orient'));
      const [file] = readdirSync(`${sandbox.project}/.claude/handoffs`);
      const document = readFileSync(`${sandbox.project}/.claude/handoffs/${file}`, 'utf8');
      expect(document).toMatch(/## Next Steps\n1\. Then: Refuse dates of the past/);
      expect(git(sandbox, 'log', '-1', '--format=%s')).toBe('[WIP] checkpoint');
      expect(git(sandbox, 'show', 'HEAD:src/todo.js')).toContain('done: false, due');
      expect(git(sandbox, 'status', '--porcelain', 'src')).toBe('');
      const { holds } = JSON.parse(ben10(sandbox, 'handoff', 'verify', '--json'));
      expect(holds).toBe(true);

      await enter('/clear');
      await enter('Where were we?');
      await until('the first turn behind it', () => ends() === 2);
      const cleared = mainRequests(requests).at(-1)!;
      expect(cleared).not.toContain('I write it.');
      expect(cleared).toContain(file!.replace('.md', ''));
      expect(cleared).toContain(NEXT);
      await enter('/orient');
      await until('the turn that orients', () => ends() === 3);
      const oriented = mainRequests(requests).at(-1)!;
      expect(oriented.slice(cleared.length)).toContain(NEXT);
      await enter('/exit');
      expect((await done).exitCode).toBe(0);
    },
  );

  it('is worked through by a loop that survives its own kill: no iteration is lost or used twice', async () => {
    const sandbox = installed();
    const available = clientAvailable();
    if (!available.ok) throw new Error(available.why);
    const client = `--client '${available.binary}' -- --model ${MODEL} --dangerously-skip-permissions`;
    const run = `ben10 loop run 'Add due dates.' --until DONE --check 'sh check.sh' --max 4 ${client}`;
    const requests: ModelRequest[] = [];
    let isKilled = false;
    const stage = openStage(
      {
        scenario: {
          steps: [
            { text: 'I read the list.', tools: [read('src/todo.js')] },
            { text: 'That is all for now.' },
            { text: 'I write it.', tools: [append] },
            { text: 'It is there.\n\n<promise>DONE</promise>' },
          ],
        },
        client: {
          binary: 'sh',
          args: ['-c', `${run}; echo "ended with $?"; ben10 loop resume; echo "resumed: $?"`],
          cwd: sandbox.project,
          env: clientEnvironment(sandbox),
        },
      },
      90_000,
      {
        onLine: (line) => said.push(line),
        onRequest: async (request) => {
          requests.push(request);
          // In the middle of the first iteration; its client goes on.
          if (isKilled || mainRequests(requests).length < 2) return;
          isKilled = true;
          const shell = await stage.started;
          const [loop] = descendantsOf(shell, 'loop run');
          signal(loop!.pid, 'SIGKILL');
        },
      },
    );
    const said: string[] = [];
    await stage.exited;
    expect(said.join('\n')).toMatch(/ended with 137[\s\S]*resumed: 0/);
    expect(mainRequests(requests)).toHaveLength(4);
    const { iterations } = JSON.parse(ben10(sandbox, 'loop', 'ledger', '--json'));
    expect(iterations).toMatchObject([
      { n: 1, outcome: 'turn-end', checks: [{ isPassed: false }], isPromised: false },
      { n: 2, outcome: 'turn-end', checks: [{ isPassed: true }], isPromised: true },
    ]);
    const sessions = new Set(iterations.map(({ session }: { session: string }) => session));
    expect(sessions.size).toBe(2);
    expect(existsSync(`${sandbox.project}/.claude/ralph-state.json`)).toBe(true);
    expect(ofType(logOf(sandbox), 'loop.stopped').map(({ data }) => data.reason)).toEqual([
      'complete',
    ]);
  });
});
