// Asks the server for all that it offers, through the Inspector's command line: one process for each question, as a person would.
//
//   node tools/check-inspector.mjs INSPECTOR FOLDER
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const [, , inspector, folder] = process.argv;
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const transcript = 'tests/fixtures/transcripts/claude-2.1.329-real-todo-app/transcript.jsonl';
const SESSION = 'd3165355-f445-4093-ae34-d89d2f2d29db';

const project = path.join(folder, 'project');
mkdirSync(project);
const env = {
  PATH: process.env.PATH,
  HOME: folder,
  CLAUDE_PROJECT_DIR: project,
};

function run(args, input) {
  const options = { cwd: project, env, encoding: 'utf8', timeout: 60_000, input };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
  if (status !== 0)
    throw new Error(`${args.slice(1).join(' ')}\nended with ${status}: ${stdout}${stderr}`);
  return stdout;
}

const ben10 = (args, input) => run([path.join(root, 'dist/ben10.cjs'), ...args], input);

let asked = 0;
function ask(method, ...args) {
  asked += 1;
  const server = [process.execPath, path.join(root, 'dist/ben10.cjs'), 'serve'];
  const answer = JSON.parse(run([inspector, '--cli', ...server, '--method', method, ...args]));
  if (answer.isError) throw new Error(`${method} ${args.join(' ')}: ${JSON.stringify(answer)}`);
  return answer;
}

// A session with a compaction, and a snapshot of it.
ben10(['init']);
ben10(['import', path.join(root, transcript)]);
const compaction = { hook_event_name: 'PreCompact', session_id: SESSION, trigger: 'manual' };
ben10(['hook', 'PreCompact'], JSON.stringify({ ...compaction, cwd: project }));
const [{ id }] = JSON.parse(ben10(['snapshot', 'list', '--json'])).snapshots;

/** Tools that need to be told something; all others are called as they are. */
const ARGUMENTS = {
  ben10_clear: ['force=true'],
  ben10_record: ['hook_event_name=PreToolUse', 'session_id=s', 'tool_name=Bash', 'tool_use_id=t'],
  ben10_save: ['name=inspected'],
  save_work_state: ['task_summary=inspected'],
  ben10_snapshot_restore: [`id=${id}`],
};

const { tools } = ask('tools/list', '--strict');
for (const { name } of tools) {
  const pairs = (ARGUMENTS[name] ?? []).flatMap((pair) => ['--tool-arg', pair]);
  ask('tools/call', '--tool-name', name, ...pairs);
}
const { resources } = ask('resources/list');
const { resourceTemplates } = ask('resources/templates/list');
const made = resourceTemplates.map(({ uriTemplate }) => uriTemplate.replace('{id}', id));
for (const uri of [...resources.map((one) => one.uri), ...made])
  ask('resources/read', '--uri', uri);
const { prompts } = ask('prompts/list');
for (const { name } of prompts) ask('prompts/get', '--prompt-name', name);

const found = [
  [tools, 'tools'],
  [resources, 'resources'],
  [resourceTemplates, 'templates'],
  [prompts, 'prompts'],
].map(([list, what]) => {
  if (list.length === 0) throw new Error(`the Inspector lists no ${what}`);
  return `${list.length} ${what}`;
});
console.log(`inspector: ok on ${process.version}, ${found.join(', ')}; ${asked} questions`);
