import { listInbox } from '../journal/append/inbox.ts';
import { listSegments } from '../journal/format/layout.ts';
import { Ben10Error } from '../platform/errors.ts';
import type { ServerContext } from './context.ts';
import type { Opened } from './worker.ts';

interface SubscriptionPorts {
  updated(uri: string): Promise<void>;
  listChanged(): Promise<void>;
  /** Whether the client has disconnected. */
  isOver(): boolean;
}

interface Subscriptions {
  /** @throws Ben10Error LIMIT_EXCEEDED */
  add(uri: string, opened: Opened): Promise<void>;
  remove(uri: string): void;
}

const WATCH_MS = 1000;
export const SUBSCRIPTIONS_MAX = 100;

/** Checks the newest segment and the inbox once a second; if they changed, reads the subscribed resources and compares them. */
export function createSubscriptions(ports: SubscriptionPorts): Subscriptions {
  /** The last content of each; null until it was read. */
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
      // Meanwhile unsubscribed, or subscribed again.
      if (known.get(uri) !== before || content === before) continue;
      known.set(uri, content);
      ports.updated(uri).catch(() => {}); // disconnected
    }
    const listed = await listOf(at);
    if (listed !== list) ports.listChanged().catch(() => {});
    list = listed;
    // Last, so that an error is retried.
    stamp = now;
  };
  const tick = async () => {
    if (ports.isOver() || opened === undefined) return stop();
    if (known.size === 0 || isLooking) return;
    isLooking = true;
    // An error is retried at the next tick.
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
        throw new Ben10Error('LIMIT_EXCEEDED', `there are already ${known.size} subscriptions`, {
          next: `Unsubscribe from some: the limit is ${SUBSCRIPTIONS_MAX}.`,
        });
      }
      opened = at;
      // Changes count from here on.
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

/** Changes with every append of any process. */
function stampOf({ project }: ServerContext): string {
  const { ports, layout } = project;
  const newest = listSegments(ports.fs, layout).at(-1);
  const stat = newest && ports.fs.statIfThere(newest.path);
  return [newest?.path, stat?.size, stat?.mtimeMs, listInbox(ports, layout).length].join(' ');
}

/** Empty if the resource is gone or unreadable. */
async function contentOf(uri: string, { worker }: Opened): Promise<string> {
  try {
    return (await worker.ask({ of: 'resource', uri })).text;
  } catch (error) {
    // The worker process may have died.
    if (error instanceof Ben10Error && error.code !== 'MCP_TOOL_ERROR') return '';
    throw error;
  }
}

const listOf = async ({ worker }: Opened): Promise<string> =>
  (await worker.ask({ of: 'resources' })).map(({ uri }) => uri).join('\n');
