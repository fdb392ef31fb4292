/**
 * Runs what is not ours, and survives it: undefined when it throws, rejects, or leaves an error behind that nobody waits
 * for, as callbacks and forgotten promises do. Call it while nothing else is going on in the process.
 */
export async function guarded<T>(work: () => Promise<T>): Promise<T | undefined> {
  let hasFailed = false;
  const fail = () => {
    hasFailed = true;
  };
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  try {
    const result = await work();
    await afterCallbacks();
    return hasFailed ? undefined : result;
  } catch {
    await afterCallbacks();
    return undefined;
  } finally {
    process.off('uncaughtException', fail);
    process.off('unhandledRejection', fail);
  }
}

/** Node's observers are called a turn later, and what they reject is told of at the end of that. */
const afterCallbacks = (): Promise<void> =>
  new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
