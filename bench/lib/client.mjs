import { spawn } from 'node:child_process';
import { environment } from './rounds.mjs';

const HELLO = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'bench', version: '1' },
};

/** ben10's own server of a project, ready to be asked. */
export async function serve(entry, dir, env = {}) {
  const server = connect(process.execPath, [entry, 'serve'], {
    cwd: dir,
    env: { CLAUDE_PROJECT_DIR: dir, ...env },
  });
  await server.call('initialize', HELLO);
  server.send({ method: 'notifications/initialized' });
  return server;
}

/** Starts a server; `first` and `tools` are the milliseconds until its first answer and its list of tools. */
export async function started(program, args, dir) {
  const start = performance.now();
  const server = connect(program, args, { cwd: dir, env: { CLAUDE_PROJECT_DIR: dir } });
  await server.call('initialize', HELLO);
  const first = performance.now() - start;
  server.send({ method: 'notifications/initialized' });
  await server.call('tools/list');
  return { first, tools: performance.now() - start, end: server.end };
}

/** A client of an MCP server on stdio, with nothing between its call and the bytes. */
function connect(program, args, { cwd, env }) {
  const child = spawn(program, args, {
    cwd,
    env: { ...environment, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const waiting = new Map();
  let rest = '';
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      const answer = JSON.parse(line);
      waiting.get(answer.id)?.(answer);
      waiting.delete(answer.id);
    }
  });
  let id = 0;
  const send = (message) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const call = (method, params) =>
    new Promise((resolve, reject) => {
      id += 1;
      waiting.set(id, ({ error, result }) =>
        error ? reject(new Error(error.message)) : resolve(result),
      );
      send({ id, method, params });
    });
  const end = () =>
    new Promise((resolve) => {
      child.on('close', resolve);
      child.stdin.end();
    });
  return { call, send, end };
}
