/**
 * Cases that are counted by the processor time of this process instead of the clock, for long ones that wait for nothing:
 * what else the machine does does not stretch it. What V8's helpers collect beside them counts as well.
 */
export const inProcessorTime = (cases) =>
  Object.fromEntries(
    Object.entries(cases).map(([name, work]) => [
      name,
      () => {
        const before = process.cpuUsage();
        work();
        const { user, system } = process.cpuUsage(before);
        return (user + system) / 1000;
      },
    ]),
  );
