/** Takes all steps of something that could be done in slices (`slices.ts`), for who has nobody waiting. */
export function atOnce<T>(steps: Iterable<unknown, T>): T {
  const iterator = steps[Symbol.iterator]();
  for (let step = iterator.next(); ; step = iterator.next()) if (step.done) return step.value;
}
