import { loadZstd } from '../../../src/platform/codecs/zstd-write.ts';
import type { Project } from '../../../src/project/open.ts';
import { decoders, realPorts } from '../../support.ts';
import { lived } from '../lived.ts';
import { type ProjectOptions, statesOf, testProject } from '../project.ts';

export const codecs = { zstd: await loadZstd(), decoders };
export const DAY_MS = 86_400_000;
/** Small, so that a short session has some that are closed. */
export const segmentBytes = 16 * 1024;

/** A clock that can be put forward. */
export function calendar() {
  const shown = { days: 0 };
  return {
    shown,
    clock: { ...realPorts.clock, now: () => realPorts.clock.now() + shown.days * DAY_MS },
  };
}

/** A session of the real client that took a day from each hook to the next. */
export function slowSession(
  name: string,
  options: ProjectOptions = {},
): { project: Project; days: number; shown: { days: number } } {
  const { shown, clock } = calendar();
  const project = testProject({ segmentBytes, ports: { clock }, ...options });
  lived(project, name, () => {
    shown.days += 1;
  });
  return { project, days: shown.days, shown };
}

/** As a process that comes later opens it: with nothing in memory. */
export const reopened = (project: Project, stored = true): Project => ({
  ...project,
  states: statesOf(project, stored),
});
