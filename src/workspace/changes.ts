import type { EnvironmentChange } from '../projections/folds/workspace.ts';

const CAME: Readonly<Record<string, string>> = {
  container: 'started',
  device: 'connected',
  server: 'listens now',
  tool: 'found',
};
const WENT: Readonly<Record<string, string>> = {
  container: 'is gone',
  device: 'is gone',
  server: 'listens no more',
  tool: 'was not found any more',
};

/** A change around the project, for people and models: `container db: running → exited`. */
export function changeText({ kind, name, from, to }: EnvironmentChange): string {
  const what =
    kind === 'repository' && from !== null && to !== null
      ? `branch of ${name}`
      : kind === 'server'
        ? `server on ${name}`
        : `${kind} ${name}`;
  if (from === null) return `${what}: ${CAME[kind] ?? 'appeared'}${said(to)}`;
  if (to === null) return `${what}: ${WENT[kind] ?? 'is gone'} (was ${from})`;
  return `${what}: ${from} → ${to}`;
}

const said = (to: string | null): string => (to === null ? '' : ` (${to})`);
