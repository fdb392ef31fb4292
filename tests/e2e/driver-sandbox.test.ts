/** @module-tag long */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { clientAvailable, clientIsHere } from './driver/client-install.ts';
import { processesWithHome } from './driver/processes.ts';
import { toolResults } from './driver/requests.ts';
import { runClient } from './driver/run-client.ts';
import { createSandbox, type Sandbox } from './driver/sandbox.ts';
import type { Step } from './driver/scenario.ts';

function sandboxForTest(): Sandbox {
  const sandbox = createSandbox();
  onTestFinished(() => sandbox.dispose());
  return sandbox;
}

const bash = (command: string): Step => ({
  tools: [{ name: 'Bash', input: { command, description: 'Run' } }],
});

/** A command that never ends by itself; the client refuses a long `sleep`. */
const WAITING = 'tail -f /dev/null';

/** What one command prints when the client runs it. */
async function outputOf(command: string): Promise<string> {
  const scenario = { steps: [bash(command), { text: 'Done.' }] };
  const { requests } = await runClient(sandboxForTest(), { prompt: 'Run it.', scenario });
  return toolResults(requests)[0]?.text ?? '';
}

afterEach(() => {
  vi.unstubAllEnvs();
});

describe.runIf(clientIsHere())('the machine that the client runs on', () => {
  it('has no network but loopback', async () => {
    const interfaces = await outputOf("tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '");
    expect(interfaces).toBe('lo');
  });

  it('takes no variable over from the machine of the tests', async () => {
    vi.stubEnv('NODE_EXTRA_CA_CERTS', '/nowhere.pem');
    vi.stubEnv('CLAUDE_CONFIG_DIR', '/nowhere');
    const names = (await outputOf('env | cut -d= -f1')).split('\n');
    expect(names).toContain('CLAUDECODE');
    expect(names).not.toContain('NODE_EXTRA_CA_CERTS');
    expect(names).not.toContain('CLAUDE_CONFIG_DIR');
  });

  it('finds the ben10 of this repository on its PATH', async () => {
    expect(await outputOf('grep -o "[^/]*/ben10.cjs" "$(command -v ben10)"')).toBe(
      'dist/ben10.cjs',
    );
  });

  it('ends a run that takes too long, with every process of it', async () => {
    const sandbox = sandboxForTest();
    const run = runClient(sandbox, {
      prompt: 'Wait.',
      scenario: { steps: [bash(WAITING)] },
      timeoutMs: 3000,
    });
    await expect(run).rejects.toThrow('longer than 3000 ms');
    await vi.waitFor(() => expect(processesWithHome(sandbox.home)).toEqual([]), {
      timeout: 20_000,
    });
  });

  it('is removed with whatever still runs on it', async () => {
    const sandbox = createSandbox();
    const scenario = {
      steps: [bash(`setsid ${WAITING} >/dev/null 2>&1 & echo left`), { text: 'Bye.' }],
    };
    await runClient(sandbox, { prompt: 'Leave something behind.', scenario });
    sandbox.dispose();
    expect(existsSync(sandbox.root)).toBe(false);
    await vi.waitFor(() => expect(processesWithHome(sandbox.home)).toEqual([]), {
      timeout: 20_000,
    });
  });
});

describe.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
  'where the client cannot be installed',
  () => {
    /** A cache folder that cannot be made: its parent is a file. */
    function withoutClient(): void {
      const file = join(sandboxForTest().root, 'file');
      writeFileSync(file, '');
      vi.stubEnv('BEN10_CLIENT_CACHE', join(file, 'cache'));
    }

    it('says why in one visible line, and skips', () => {
      withoutClient();
      vi.stubEnv('CI', '');
      const line = vi.spyOn(console, 'warn').mockReturnValue();
      expect(clientIsHere()).toBe(false);
      expect(line).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/^SKIPPED: .*ENOTDIR/));
    });

    it('fails where CI is set', () => {
      withoutClient();
      vi.stubEnv('CI', 'true');
      expect(clientAvailable()).toMatchObject({ ok: false });
      expect(() => clientIsHere()).toThrow('CI must drive the real client');
    });
  },
);
