/**
 * The stage of one client run: a process inside a network namespace of its own, in which
 * the scripted model listens on loopback and the client is started.
 *
 * Started by run-client.ts with an IPC channel (a socket pair: it crosses the namespace).
 *   parent → stage   {kind: 'play', scenario, client: {binary, args, cwd, env}}
 *                    {kind: 'answer', index}        let the model answer request `index`
 *   stage → parent   {kind: 'started', pid}         the client's process id
 *                    {kind: 'request', request}     see ModelRequest in scenario.ts
 *                    {kind: 'exited', code, signal}
 * The client inherits stdin, stdout and stderr; the stage itself prints only failures, on stderr.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { createScript, toEvents, toMessage } from './scripted-model.mjs';

const answerGates = new Map();
let requestCount = 0;

/** Shows a request to the parent and waits until the parent lets it be answered. */
function showAndWait(request) {
  const gate = new Promise((open) => answerGates.set(request.index, open));
  process.send({ kind: 'request', request });
  return gate;
}

async function readBody(incoming) {
  const chunks = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  return text === '' ? {} : JSON.parse(text);
}

function sendJson(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function sendMessage(response, message, streaming) {
  if (!streaming) return sendJson(response, 200, message);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of toEvents(message)) {
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  }
  response.end();
}

async function answer(script, incoming, response) {
  const path = new URL(incoming.url, 'http://model').pathname;
  const body = await readBody(incoming);
  if (path === '/v1/messages/count_tokens') {
    return sendJson(response, 200, { input_tokens: Math.ceil(JSON.stringify(body).length / 4) });
  }
  if (path !== '/v1/messages') {
    return sendJson(response, 404, {
      type: 'error',
      error: { type: 'not_found_error', message: path },
    });
  }
  const who = script.classify(body);
  const message = toMessage(body.model, script.stepFor(who));
  const request = { index: requestCount++, at: Date.now(), ...who, body, answer: message };
  await showAndWait(request);
  sendMessage(response, message, body.stream === true);
}

async function listen(script) {
  const server = http.createServer((incoming, response) => {
    answer(script, incoming, response).catch((error) => {
      console.error(`scripted model: ${error.stack}`);
      response.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server.address().port;
}

async function play({ scenario, client }) {
  execFileSync('ip', ['link', 'set', 'lo', 'up']);
  const port = await listen(createScript(scenario));
  const env = { ...client.env, ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}` };
  const child = spawn(client.binary, client.args, { cwd: client.cwd, env, stdio: 'inherit' });
  child.once('spawn', () => process.send({ kind: 'started', pid: child.pid }));
  const [code, signal] = await once(child, 'exit');
  process.send({ kind: 'exited', code, signal }, () => process.exit(0));
}

process.on('message', (message) => {
  if (message.kind === 'answer') return answerGates.get(message.index)?.();
  play(message).catch((error) => {
    console.error(`stage: ${error.stack}`);
    process.exit(1);
  });
});
// The parent is gone: nobody would ever let a request be answered.
process.once('disconnect', () => process.exit(1));
