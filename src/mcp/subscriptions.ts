import { listInbox } from '../journal/inbox.ts';
import { listSegments } from '../journal/layout.ts';
import { Ben10Error } from '../platform/errors.ts';
import type { ServerContext } from './context.ts';
import { listResources, readUri } from './resources/index.ts';

export interface SubscriptionPorts {
  updated(uri: string): Promise<void>;
  listChanged(): Promise<void>;
  /** True when nobody can be told any more. */
  isOver(): boolean;
}

export interface Subscriptions {
  /** @throws Ben10Error LIMIT_EXCEEDED */
  add(uri: string, context: ServerContext): void;
  remove(uri: string): void;
}

/** How soon somebody learns of a change, milliseconds. */
export const WATCH_MS = 1000;
/** There are three resources and a few snapshots. */
export const SUBSCRIPTIONS_MAX = 100;

/**
 * Tells a client of changes to what it has subscribed to. While it has subscribed to anything, the newest segment and the inbox
 * are looked at once a second; only when these changed are the resources read again and compared. Keeps no process alive.
 */
export function createSubscriptions(ports: SubscriptionPorts): Subscriptions {
  /** What each said last, by address. */
  const known = new Map<string, string>();
  let context: ServerContext | undefined;
  let stamp = '';
  let list = '';
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
  };
  const look = (ready: ServerContext) => {
    const now = stampOf(ready);
    if (now === stamp) return;
    stamp = now;
    for (const [uri, before] of known) {
      const content = contentOf(uri, ready);
      if (content === before) continue;
      known.set(uri, content);
      ports.updated(uri).catch(() => {}); // the client has gone
    }
    const listed = listOf(ready);
    if (listed !== list) ports.listChanged().catch(() => {});
    list = listed;
  };
  const tick = () => {
    if (ports.isOver() || context === undefined) stop();
    else if (known.size > 0) tried(context, look);
  };
  return {
    add(uri, ready) {
      if (known.size >= SUBSCRIPTIONS_MAX && !known.has(uri)) {
        throw new Ben10Error('LIMIT_EXCEEDED', `${known.size} subscriptions are held already`, {
          next: `Unsubscribe from some: at most ${SUBSCRIPTIONS_MAX} are held.`,
        });
      }
      context = ready;
      // What happens from here on is news, also for those who are subscribed already.
      if (known.size === 0) {
        stamp = stampOf(ready);
        list = listOf(ready);
      }
      known.set(uri, contentOf(uri, ready));
      timer ??= setInterval(tick, WATCH_MS).unref();
    },
    remove(uri) {
      known.delete(uri);
      if (known.size === 0) stop();
    },
  };
}

/** What cannot be read now may be readable the next time. */
function tried(context: ServerContext, look: (context: ServerContext) => void): void {
  try {
    look(context);
  } catch (error) {
    context.log.debug(`subscriptions: ${(error as Error).message}`);
  }
}

/** Changes with every append, whoever makes it. */
function stampOf({ project }: ServerContext): string {
  const { ports, layout } = project;
  const newest = listSegments(ports.fs, layout).at(-1);
  const stat = newest && ports.fs.statIfThere(newest.path);
  return [newest?.path, stat?.size, stat?.mtimeMs, listInbox(ports, layout).length].join(' ');
}

/** One that is gone, or cannot be read, says so by being empty. */
function contentOf(uri: string, context: ServerContext): string {
  try {
    return JSON.stringify(readUri(uri, context)?.data);
  } catch (error) {
    if (error instanceof Ben10Error) return '';
    throw error;
  }
}

const listOf = (context: ServerContext): string =>
  listResources(context)
    .map(({ uri }) => uri)
    .join('\n');
