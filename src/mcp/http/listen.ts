import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type Guard, type Refusal, refusalOf } from './guard.ts';

export interface ListenOptions extends Guard {
  port: number;
  /** Connects a server to the transport of one request. */
  connect(transport: Transport): Promise<void>;
}

export interface Listening {
  /** The actual port, if 0 was given. */
  port: number;
  /** Waits up to `ms` for requests in progress. */
  close(ms: number): Promise<void>;
}

export const BODY_BYTES_MAX = 16 * 1024 * 1024;
/** At the same time; each may hold a body. */
const REQUESTS_MAX = 16;
const CONNECTIONS_MAX = 64;
const HEADERS_MS = 10_000;
const REQUEST_MS = 60_000;
const KEEP_ALIVE_MS = 5_000;
/** Longer than any answer takes. */
const IDLE_MS = 5 * 60_000;
const CHECK_MS = 5_000;

/** Serves stateless MCP over HTTP. @throws Node's errors, such as EADDRINUSE */
export async function listen(options: ListenOptions): Promise<Listening> {
  let busy = 0;
  const server = createServer(
    {
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: CHECK_MS,
    },
    (request, response) => {
      const refusal = refusalOf(request, options) ?? (busy >= REQUESTS_MAX ? TOO_MANY : undefined);
      if (refusal !== undefined) return refuse(response, refusal);
      busy += 1;
      response.on('close', () => {
        busy -= 1;
      });
      answer(request, response, options).catch(() => {
        if (response.headersSent) response.destroy();
        else refuse(response, { status: 500, message: 'the request could not be answered' });
      });
    },
  );
  server.maxConnections = CONNECTIONS_MAX;
  server.setTimeout(IDLE_MS);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: options.port, host: options.host }, resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : options.port;
  return { port, close: (ms) => close(server, ms) };
}

const TOO_MANY: Refusal = {
  status: 503,
  message: 'too many requests at once',
  headers: { 'Retry-After': '1' },
};

/** Closes the connection without reading the rest of the body. */
function refuse(response: ServerResponse, { status, message, headers }: Refusal): void {
  const body = { jsonrpc: '2.0', error: { code: -32000, message }, id: null };
  response.writeHead(status, {
    'Content-Type': 'application/json',
    Connection: 'close',
    ...headers,
  });
  response.end(JSON.stringify(body));
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { connect }: ListenOptions,
): Promise<void> {
  const transport = new WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: true,
    maxRequestBodySize: BODY_BYTES_MAX,
  });
  // Also if the client disconnects: its request is cancelled.
  response.on('close', () => void transport.close());
  await connect(transport);
  const given = await transport.handleRequest(asWebRequest(request));
  const body = Buffer.from(await given.arrayBuffer());
  response.writeHead(given.status, {
    ...Object.fromEntries(given.headers),
    'Content-Length': body.length,
    ...(given.status >= 400 && { Connection: 'close' }),
  });
  response.end(body);
}

function asWebRequest(request: IncomingMessage): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value));
  // Answers are JSON, but the transport insists on this header.
  const accepts = request.headers.accept ?? '*/*';
  if (/\*\/\*|application\/(?:json|\*)/.test(accepts))
    headers.set('accept', 'application/json, text/event-stream');
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers,
    body: Readable.toWeb(request) as ReadableStream,
    duplex: 'half',
  });
}

async function close(server: Server, ms: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), ms);
  await closed;
  clearTimeout(timer);
}
