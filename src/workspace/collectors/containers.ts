import { isRecord } from '../../platform/config/value.ts';
import type { Container, Unseen } from '../context.ts';
import {
  type Around,
  type Collector,
  ENDED_MS,
  inTime,
  lastLook,
  withUnseen,
} from './collector.ts';

const NAME_CHARS = 80;
const STATUS_CHARS = 60;

type Runtime = NonNullable<Container['runtime']>;
type Listed = Container & { id: string };

/** Containers of docker and podman, running ones first. */
export const containers: Collector<Container & Unseen> = {
  timeoutMs: ENDED_MS,
  async collect(given) {
    const around = inTime(given);
    const { runtime } = around.settings.containers;
    if (runtime === 'none') return [];
    const asked: Runtime[] = runtime === 'auto' ? ['docker', 'podman'] : [runtime];
    const answers = await Promise.all(asked.map((one) => list(around, one)));
    const silent = await unreachable(around, asked, answers);
    // Where docker is an alias of podman, both list the same.
    const byId = new Map<string, Container>();
    for (const { id, ...container } of answers.flatMap((answer) => answer ?? []))
      if (!byId.has(id)) byId.set(id, container);
    const found = [...byId.values(), ...(silent ?? [])].sort(
      (a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1),
    );
    const mute = new Set(asked.filter((_, index) => answers[index] === undefined));
    const names = new Set(found.map(({ name }) => name));
    // One without a recorded runtime belongs to whichever answers: it must be able to go.
    const unseen = lastLook(around).containers.filter(
      ({ name, runtime }) => !names.has(name) && runtime !== null && mute.has(runtime),
    );
    return withUnseen(found, unseen) ?? (mute.size === asked.length ? undefined : []);
  },
};

export const UNREACHABLE = 'unreachable: docker does not answer';

/**
 * Docker's containers of the last look, if its program is there and its daemon does not answer. Undefined if docker
 * answers or is missing, or if none ran.
 */
async function unreachable(
  around: Around,
  asked: readonly Runtime[],
  answers: readonly (readonly Listed[] | undefined)[],
): Promise<Container[] | undefined> {
  const at = asked.indexOf('docker');
  if (at === -1 || answers[at] !== undefined) return undefined;
  const others = new Set(answers.flatMap((answer) => answer ?? []).map(({ name }) => name));
  // Without a recorded runtime they count as docker's, as most are.
  const known = lastLook(around).containers.filter(
    ({ name, runtime }) => runtime !== 'podman' && !others.has(name),
  );
  if (!known.some(({ state }) => state === 'running' || state === UNREACHABLE)) return undefined;
  if ((await around.run('docker', ['--version'], around.dir)) === undefined) return undefined;
  return known.map((one): Container => {
    const isKnown = one.state !== 'running' && one.state !== UNREACHABLE;
    const docker = { ...one, runtime: 'docker' as const };
    return isKnown ? docker : { ...docker, state: UNREACHABLE, status: '' };
  });
}

const rank = ({ state }: Container): number => (state === 'running' ? 0 : 1);

async function list(around: Around, runtime: Runtime): Promise<Listed[] | undefined> {
  const format = runtime === 'docker' ? '{{json .}}' : 'json';
  const text = await around.run(runtime, ['ps', '--all', '--format', format], around.dir);
  return text === undefined ? undefined : parseContainers(text, runtime, around);
}

/** @param text docker: one JSON object a line; podman: a JSON list */
export function parseContainers(
  text: string,
  runtime: Runtime,
  { clean }: Pick<Around, 'clean'>,
): Listed[] {
  return rowsOf(text).map((row) => {
    const word = (name: string): string => (typeof row[name] === 'string' ? row[name] : '');
    const [first] = Array.isArray(row.Names) ? row.Names : [row.Names];
    return {
      id: (word('ID') || word('Id')).slice(0, 12),
      name: clean(typeof first === 'string' ? first : '', NAME_CHARS),
      image: clean(word('Image'), NAME_CHARS),
      state: clean(word('State').toLowerCase(), STATUS_CHARS),
      status: clean(word('Status'), STATUS_CHARS),
      runtime,
    };
  });
}

function rowsOf(text: string): Record<string, unknown>[] {
  const rows = text.trimStart().startsWith('[')
    ? (JSON.parse(text) as unknown[])
    : text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as unknown);
  return rows.filter(isRecord);
}
