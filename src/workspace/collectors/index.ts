import { buildScripts } from './build-scripts.ts';
import { type Around, type Collector, within } from './collector.ts';
import { commands } from './commands.ts';
import { containers } from './containers.ts';
import { devices } from './devices.ts';
import { git } from './git.ts';
import { scripts } from './scripts.ts';
import { servers } from './servers.ts';
import { tools } from './tools.ts';
import { workState } from './work-state.ts';

/** Every collector, by the section that it fills. */
export const COLLECTORS = {
  work: workState,
  targets: buildScripts,
  containers,
  repositories: git,
  commands,
  devices,
  scripts,
  servers,
  tools,
} as const;

export type Collected = {
  [K in keyof typeof COLLECTORS]: (typeof COLLECTORS)[K] extends Collector<infer T>
    ? T[] | undefined
    : never;
};

/** All at the same time: takes as long as the slowest may, 1.2 s. Never throws. */
export async function collectAll(around: (signal: AbortSignal) => Around): Promise<Collected> {
  const entries = Object.entries(COLLECTORS).map(
    async ([name, collector]) =>
      [name, await within<unknown>(collector as Collector<unknown>, around)] as const,
  );
  return Object.fromEntries(await Promise.all(entries)) as Collected;
}
