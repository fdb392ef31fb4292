/** Milliseconds of one core that this process has used: what a busy machine does not change. */
export function spent(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** When so many more seconds of one core are used, as `spent` counts. */
export const spentAfter = (seconds: number): number => spent() + seconds * 1000;
