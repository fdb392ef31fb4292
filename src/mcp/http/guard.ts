import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';

/** Who may ask a server. */
export interface Guard {
  /** The name or address that it listens on. */
  host: string;
  /** Undefined where everybody on this machine may ask. */
  token: string | undefined;
}

/** Why a request is not answered, as HTTP says it. */
export interface Refusal {
  status: number;
  message: string;
  headers?: Record<string, string>;
}

/** The endpoint, also under the name that most clients use. */
const PATHS: ReadonlySet<string> = new Set(['/', '/mcp']);

interface Asked {
  method?: string | undefined;
  url?: string | undefined;
  headers: IncomingHttpHeaders;
}

/** What keeps a request from being read; undefined where nothing does. */
export function refusalOf({ method, url, headers }: Asked, guard: Guard): Refusal | undefined {
  const host = hostnameOf(`http://${headers.host ?? ''}`);
  // A page of somebody else can have its own name lead to this machine (DNS rebinding).
  if (host === undefined || !isServed(host, guard.host))
    return { status: 403, message: 'this Host is not served' };
  const { origin } = headers;
  if (origin !== undefined && !isOwnOrigin(origin, host))
    return { status: 403, message: 'this Origin may not ask' };
  if (guard.token !== undefined && !isToken(headers.authorization, guard.token)) {
    const message = 'a bearer token is needed: ben10 serve printed it';
    return { status: 401, message, headers: { 'WWW-Authenticate': 'Bearer' } };
  }
  if (!PATHS.has(url?.split('?')[0] ?? '')) return { status: 404, message: 'MCP is at /mcp' };
  // Without sessions there is no stream to open and nothing to delete.
  if (method !== 'POST')
    return { status: 405, message: 'only POST is served', headers: { Allow: 'POST' } };
  return undefined;
}

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

/** Without the brackets of an IPv6 address; undefined for what is no name of a host. */
function hostnameOf(origin: string): string | undefined {
  if (!/^https?:\/\/[\w.:[\]-]+$/.test(origin)) return undefined;
  try {
    return new URL(origin).hostname.replace(/^\[(.*)\]$/, '$1');
  } catch {
    return undefined;
  }
}

/** Of a server that others can reach any address may be its own; a name could be anybody's. */
const isServed = (asked: string, host: string): boolean =>
  isLoopback(asked) || asked === host.toLowerCase() || (!isLoopback(host) && isIP(asked) !== 0);

function isOwnOrigin(origin: string, host: string): boolean {
  const from = hostnameOf(origin);
  return from !== undefined && (isLoopback(from) || from === host);
}

/** Takes the same time however much of it is right. */
function isToken(authorization: string | undefined, token: string): boolean {
  const given = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(digest(given), digest(token));
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
