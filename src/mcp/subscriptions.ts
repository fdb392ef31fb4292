import { listInbox } from '../journal/append/inbox.ts';
import { listSegments } from '../journal/format/layout.ts';
import { Ben10Error } from '../platform/errors.ts';
import type { ServerContext } from './context.ts';
import type { Opened } from './worker.ts';

export interface SubscriptionPorts {
  updated(uri: string): Promise<void>;
  listChanged(): Promise<void>;
  /** True when nobody can be told any more. */
  isOver(): boolean;
}

export interface Subscriptions {
  /** @throws Ben10Error LIMIT_EXCEEDED */
  add(uri: string, opened: Opened): Promise<void>;
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
  /** What each said last, by address; null until it was read. */
  const known = new Map<string, string | null>();
  let opened: Opened | undefined;
  let stamp = '';
  let list = '';
  let timer: NodeJS.Timeout | undefined;
  let isLooking = false;
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
  };
  const look = async (at: Opened) => {
    const now = stampOf(at.context);
    if (now === stamp) return;
    for (const [uri, before] of [...known]) {
      const content = await contentOf(uri, at);
      // Subscribed to once more meanwhile, or not any longer.
      if (known.get(uri) !== before || content === before) continue;
      known.set(uri, content);
      ports.updated(uri).catch(() => {}); // the client has gone
    }
    const listed = await listOf(at);
    if (listed !== list) ports.listChanged().catch(() => {});
    list = listed;
    // Last: what could not be read is looked at again.
    stamp = now;
  };
  const tick = async () => {
    if (ports.isOver() || opened === undefined) return stop();
    // What is read now may take longer than the time between two looks.
    if (known.size === 0 || isLooking) return;
    isLooking = true;
    // What cannot be read now may be readable the next time.
    await look(opened).catch((error: Error) =>
      opened?.context.log.debug(`subscriptions: ${error.message}`),
    );
    isLooking = false;
  };
  const start = () => {
    timer ??= setInterval(() => void tick(), WATCH_MS).unref();
  };
  return {
    async add(uri, at) {
      if (known.size >= SUBSCRIPTIONS_MAX && !known.has(uri)) {
        throw new Ben10Error('LIMIT_EXCEEDED', `${known.size} subscriptions are held already`, {
          next: `Unsubscribe from some: at most ${SUBSCRIPTIONS_MAX} are held.`,
        });
      }
      opened = at;
      // What happens from here on is news, also for those who are subscribed already.
      const isFirst = known.size === 0;
      if (isFirst) stamp = stampOf(at.context);
      known.set(uri, null);
      try {
        if (isFirst) list = await listOf(at);
        const content = await contentOf(uri, at);
        if (known.has(uri)) known.set(uri, content);
      } catch (error) {
        known.delete(uri);
        throw error;
      }
      start();
    },
    remove(uri) {
      known.delete(uri);
      if (known.size === 0) stop();
    },
  };
}

/** Changes with every append, whoever makes it. */
function stampOf({ project }: ServerContext): string {
  const { ports, layout } = project;
  const newest = listSegments(ports.fs, layout).at(-1);
  const stat = newest && ports.fs.statIfThere(newest.path);
  return [newest?.path, stat?.size, stat?.mtimeMs, listInbox(ports, layout).length].join(' ');
}

/** One that is gone, or cannot be read, says so by being empty. */
async function contentOf(uri: string, { worker }: Opened): Promise<string> {
  try {
    return (await worker.ask({ of: 'resource', uri })).text;
  } catch (error) {
    // The process that reads may have died of something else.
    if (error instanceof Ben10Error && error.code !== 'MCP_TOOL_ERROR') return '';
    throw error;
  }
}

const listOf = async ({ worker }: Opened): Promise<string> =>
  (await worker.ask({ of: 'resources' })).map(({ uri }) => uri).join('\n');
