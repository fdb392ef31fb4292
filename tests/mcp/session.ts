import { type Connected, call, hookArgs } from './support.ts';

export const SESSION = '11111111-2222-4333-8444-555555555555';

/** Sends one hook event to a server. */
export const record = (
  server: Pick<Connected, 'client'>,
  event: string,
  n: number | string,
  more: Record<string, unknown> = {},
) => call(server, 'ben10_record', hookArgs(event, n, more));

/** A prompt, as a setup whose every hook is an `mcp_tool` sends it. */
export const prompt = (server: Pick<Connected, 'client'>, n: number, text: string) =>
  record(server, 'UserPromptSubmit', n, { prompt: text, prompt_id: `p${n}` });

/** Turns of a session, each with a prompt, an edit and a command; every third command fails. */
export async function playTurns(
  server: Pick<Connected, 'client' | 'dir'>,
  turns: number,
  output = 'out',
): Promise<void> {
  for (let turn = 1; turn <= turns; turn += 1) {
    await prompt(server, turn, `Please do step ${turn}. Never touch the lock file.`);
    const edit = {
      tool_name: 'Edit',
      prompt_id: `p${turn}`,
      tool_input: JSON.stringify({
        file_path: `${server.dir}/src/file-${turn}.ts`,
        old_string: 'a',
        new_string: 'b',
      }),
      tool_response: JSON.stringify({ filePath: `${server.dir}/src/file-${turn}.ts` }),
    };
    await record(server, 'PreToolUse', `edit${turn}`, edit);
    await record(server, 'PostToolUse', `edit${turn}`, edit);
    const run = { prompt_id: `p${turn}` };
    await record(server, 'PreToolUse', `run${turn}`, run);
    if (turn % 3 === 0) {
      await record(server, 'PostToolUseFailure', `run${turn}`, {
        ...run,
        error: `Exit code 3\nstep ${turn} broke`,
      });
    } else {
      const response = JSON.stringify({ stdout: `${output} ${turn}`, stderr: '' });
      await record(server, 'PostToolUse', `run${turn}`, { ...run, tool_response: response });
    }
  }
}

/** Events of `playTurns`, without those that other tools add. */
export const EVENTS_PER_TURN = 5;
