import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Agent } from './restart-agent.ts';

/** Of calls to the server in a round: a state holds no more than the newest of them. */
const ROUND_CALLS = 30;
const SAVED_EVERY = 5;

/** What hooks are aimed at, as `Agent.hook` is given them: each kind that a turn is made of. */
export const KINDS = [
  'UserPromptSubmit',
  'PreToolUse Write',
  'PostToolUse Write',
  'PostToolUse TaskCreate',
  'PreCompact',
  'Stop',
];

/** Turns by hooks, beside calls to a server, until one hook of a kind is killed in mid-life, and the server with it. */
export async function work(agent: Agent, kind: string, round: number): Promise<void> {
  const { client, gone } = await agent.server();
  const hooks = async () => {
    // How long each kind lives is known when one whole turn was seen.
    if (round === 0) await turn(agent, `${round}-whole`);
    agent.aim = kind;
    for (let n = 0; agent.aim !== undefined; n += 1) await turn(agent, `${round}-${n}`);
  };
  await Promise.all([hooks(), calls(agent, client, round), gone]);
}

/**
 * What each hook acknowledged is promised from then on, also when the turn is cut off. A tool runs whether or not the hook before it
 * lived: its outcome alone promises the call as well.
 */
async function turn(agent: Agent, id: string): Promise<void> {
  const promise = (...texts: string[]) => agent.promised.push(...texts);
  const prompt = `Please do part ${id} of it.`;
  if (!(await agent.hook('UserPromptSubmit', { prompt }))) return;
  promise(`user: ${prompt}`);

  const name = `part-${id}.ts`;
  const content = `export const part = '${id}';\n`;
  const tool_input = { file_path: `${agent.dir}/${name}`, content };
  const write = { tool_name: 'Write', tool_input, tool_use_id: `w-${id}` };
  if (await agent.hook('PreToolUse Write', write)) promise(`  Write ${name}\n`);
  else agent.withoutCall += 1;
  const tool_response = { type: 'create', filePath: tool_input.file_path, content };
  if (!(await agent.hook('PostToolUse Write', { ...write, tool_response }))) return;
  promise(` ok  Write ${name}\n`, ` ${name}  created, `, ` Write  ${name}\n`);

  const subject = `Look at part ${id}`;
  const task = { tool_name: 'TaskCreate', tool_input: { subject }, tool_use_id: `c-${id}` };
  if (await agent.hook('PreToolUse TaskCreate', task)) promise(`  TaskCreate ${subject}\n`);
  const made = { task: { id, subject } };
  if (!(await agent.hook('PostToolUse TaskCreate', { ...task, tool_response: made }))) return;
  promise(` ok  TaskCreate ${subject}\n`, `[ ] #${id} ${subject}\n`);

  const custom_instructions = `Keep part ${id}.`;
  if (!(await agent.hook('PreCompact', { trigger: 'manual', custom_instructions }))) return;
  agent.compactions.push(custom_instructions);

  const last_assistant_message = `Part ${id} is done.`;
  if (await agent.hook('Stop', { last_assistant_message }))
    agent.turns.push(last_assistant_message);
}

/** Commands, recorded by the server, and saves, until it is dead. */
async function calls(agent: Agent, client: Client, round: number): Promise<void> {
  for (let n = 0; n < ROUND_CALLS; n += 1) {
    const command = `make part-${round}-${n}.o`;
    const call = { tool_name: 'Bash', tool_input: { command }, tool_use_id: `t-${round}-${n}` };
    const tool_response = { stdout: 'made', stderr: '', interrupted: false };
    if (!(await answers(client, 'ben10_record', agent.input('PreToolUse', call)))) return;
    agent.promised.push(`  ${command}\n`);
    const after = agent.input('PostToolUse', { ...call, tool_response });
    if (!(await answers(client, 'ben10_record', after))) return;
    agent.promised.push(` ok  ${command}\n`);
    if (n % SAVED_EVERY !== SAVED_EVERY - 1) continue;
    const name = `s-${round}-${n}`;
    const known = [...agent.promised];
    if (!(await answers(client, 'ben10_save', { name }))) return;
    agent.saves.set(name, known);
  }
}

/** False when the server died before it could. */
async function answers(client: Client, name: string, args: object): Promise<boolean> {
  try {
    const answer = await client.callTool({ name, arguments: { ...args } });
    if (answer.isError === true) throw new Error(JSON.stringify(answer.content));
    return true;
  } catch (error) {
    if (/Connection closed|Not connected|EPIPE/.test(String(error))) return false;
    throw error;
  }
}
