import { appendFileSync, cpSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { serve } from './client.mjs';
import { installed } from './installed.mjs';
import { hookInput } from './payload.mjs';
import { run } from './rounds.mjs';
import { scratch } from './scratch.mjs';
import { sourceFolder } from './sources.mjs';

const FILES = 40;
const CHANGED = 2;
const SESSION = '5e551077-0000-4000-8000-0000000000b2';
const TOOL = 'ctx_packs_render';

/**
 * A session asks the installed server for a pack of 40 files, and again each time that two more of them changed, until all did.
 * @param count a text's tokens
 * @returns the tokens that each later answer gave it, to those of the first
 */
export async function packDelta(count) {
  const dir = path.join(scratch(), 'project');
  cpSync(sourceFolder(FILES), dir, { recursive: true });
  const files = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => path.join(file.parentPath, file.name))
    .sort();
  const { entry } = installed();
  const ben10 = (args, input = '') => run(process.execPath, [entry, ...args], { cwd: dir, input });
  ben10(['init']);
  ben10(['pack', 'create', 'all', '--budget', 'none']);
  ben10(['pack', 'add', 'all', 'glob:d*/**']);
  const server = await serve(entry, dir, { BEN10_PROFILE: 'core,packs' });
  const ask = async (id) => {
    const about = { session_id: SESSION, cwd: dir, tool_use_id: id, tool_input: {} };
    const call = { ...hookInput('PreToolUse'), ...about, tool_name: `mcp__ben10__${TOOL}` };
    ben10(['hook', 'PreToolUse'], JSON.stringify(call));
    let [tokens, given] = [0, { packs: ['all'] }];
    while (given !== undefined) {
      const _meta = { 'claudecode/toolUseId': id };
      const { content } = await server.call('tools/call', { name: TOOL, arguments: given, _meta });
      const [payload, notes] = content.map(({ text }) => text);
      tokens += count(payload);
      const { nextCursor: cursor } = JSON.parse(notes);
      given = cursor && { cursor };
    }
    return tokens;
  };
  const first = await ask('toolu_bench_first');
  const shares = [];
  for (let at = 0; at < files.length; at += CHANGED) {
    for (const file of files.slice(at, at + CHANGED)) appendFileSync(file, '// changed\n');
    shares.push((await ask(`toolu_bench_${at}`)) / first);
  }
  await server.end();
  return shares;
}
