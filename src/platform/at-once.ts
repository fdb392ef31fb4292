/** Runs all steps of work that `inSlices` could interrupt, without interruption. */
export function atOnce<T>(steps: Iterable<unknown, T>): T {
  const iterator = steps[Symbol.iterator]();
  for (let step = iterator.next(); ; step = iterator.next()) if (step.done) return step.value;
}
