import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';

export interface Guard {
  /** The name or address that the server listens on. */
  host: string;
  /** Undefined for `--no-token`. */
  token: string | undefined;
}

export interface Refusal {
  status: number;
  message: string;
  headers?: Record<string, string>;
}

const PATHS: ReadonlySet<string> = new Set(['/', '/mcp']);

interface Asked {
  method?: string | undefined;
  url?: string | undefined;
  headers: IncomingHttpHeaders;
}

/** Why a request is refused; undefined if it is not. */
export function refusalOf({ method, url, headers }: Asked, guard: Guard): Refusal | undefined {
  const host = hostnameOf(`http://${headers.host ?? ''}`);
  // Against DNS rebinding: a website can point its own name to this machine.
  if (host === undefined || !isServed(host, guard.host))
    return { status: 403, message: 'this Host is not allowed' };
  const { origin } = headers;
  if (origin !== undefined && !isOwnOrigin(origin, host))
    return { status: 403, message: 'this Origin is not allowed' };
  if (guard.token !== undefined && !isToken(headers.authorization, guard.token)) {
    const message = 'a bearer token is required; ben10 serve printed it';
    return { status: 401, message, headers: { 'WWW-Authenticate': 'Bearer' } };
  }
  if (!PATHS.has(url?.split('?')[0] ?? '')) return { status: 404, message: 'MCP is at /mcp' };
  // GET and DELETE are for sessions.
  if (method !== 'POST')
    return { status: 405, message: 'only POST is allowed', headers: { Allow: 'POST' } };
  return undefined;
}

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

/** Without the brackets of an IPv6 address; undefined if invalid. */
function hostnameOf(origin: string): string | undefined {
  if (!/^https?:\/\/[\w.:[\]-]+$/.test(origin)) return undefined;
  try {
    return new URL(origin).hostname.replace(/^\[(.*)\]$/, '$1');
  } catch {
    return undefined;
  }
}

/** A server on a public address accepts any IP address, but no other names. */
const isServed = (asked: string, host: string): boolean =>
  isLoopback(asked) || asked === host.toLowerCase() || (!isLoopback(host) && isIP(asked) !== 0);

function isOwnOrigin(origin: string, host: string): boolean {
  const from = hostnameOf(origin);
  return from !== undefined && (isLoopback(from) || from === host);
}

/** In constant time. */
function isToken(authorization: string | undefined, token: string): boolean {
  const given = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(digest(given), digest(token));
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
