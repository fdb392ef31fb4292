/** How many suggestions are looked at. */
export const TOP = 10;

/**
 * Git alone, as other programs suggest: the files of commits that changed files of the pack, in three ways to count, of which the
 * one that finds most is the peer.
 */
export const GIT_ALONE = {
  'commits together': (count) => count.together,
  'pairs of files in commits': (count) => count.pairs,
  'share of the commits of each file': (count) => count.share,
};

/** @param is whether a file may be suggested @returns by way: the best files */
export function gitAlone(commits, pack, is) {
  const own = new Map();
  for (const files of commits) for (const file of files) add(own, file, 1);
  const counts = new Map();
  for (const files of commits) {
    const ours = files.filter((file) => pack.has(file));
    if (ours.length === 0) continue;
    const share = ours.reduce((sum, file) => sum + 1 / own.get(file), 0);
    for (const file of files) {
      if (pack.has(file) || !is(file)) continue;
      const count = counts.get(file) ?? { together: 0, pairs: 0, share: 0 };
      counts.set(file, count);
      count.together += 1;
      count.pairs += ours.length;
      count.share += share;
    }
  }
  return Object.fromEntries(Object.entries(GIT_ALONE).map(([way, of]) => [way, best(counts, of)]));
}

/** The journal alone, as other programs would have it: files opened in one turn with files of the pack. */
export function turnsAlone(turns, pack, is) {
  const counts = new Map();
  for (const { read, edited } of turns) {
    const files = new Set([...read.keys(), ...edited.keys()]);
    if (![...files].some((file) => pack.has(file))) continue;
    for (const file of files) if (!pack.has(file) && is(file)) add(counts, file, 1);
  }
  return best(counts, (count) => count);
}

const add = (map, key, amount) => map.set(key, (map.get(key) ?? 0) + amount);

const best = (counts, of) =>
  [...counts]
    .sort((a, b) => of(b[1]) - of(a[1]) || (a[0] < b[0] ? -1 : 1))
    .slice(0, TOP)
    .map(([file]) => file);

/** Found of what was wanted, over all cuts, by who suggested. */
export class Tally {
  wanted = 0;
  cuts = 0;
  found = {};

  add(wanted, suggested) {
    this.cuts += 1;
    this.wanted += wanted.length;
    for (const [who, files] of Object.entries(suggested)) {
      const top = new Set(files);
      this.found[who] = (this.found[who] ?? 0) + wanted.filter((file) => top.has(file)).length;
    }
  }

  share(who) {
    return (this.found[who] ?? 0) / this.wanted;
  }
}
