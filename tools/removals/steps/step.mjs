/**
 * @typedef {{ file: string, from: string, to: string }} Edit `file` is below `src/`
 * @typedef {{ name: string, edits: Edit[], catchers: string[] }} Step
 * A catcher is a part of the simulation (`sim:` and its harnesses), or a file of tests (below `tests/`, without its ending),
 * and behind `#` a part of the names of those tests.
 */

/** A safety step, by the text that makes it, which stands in its file exactly once. */
export const step = (name, catchers, file, from, to = '') => ({
  name,
  catchers: [catchers].flat(),
  edits: [{ file, from, to }],
});

/** A step whose loss shows only when the steps behind it, which would catch the same, are gone as well. */
export const behind = (one, ...others) => ({
  ...one,
  name: `${one.name} [and ${others.map(({ name }) => name).join(', ')}]`,
  edits: [one, ...others].flatMap(({ edits }) => edits),
});
