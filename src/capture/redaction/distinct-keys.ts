/** Two secrets as keys become the same marker; the second is `[REDACTED:X] (2)`, so that no value is lost. */
export function withDistinctKeys(entries: readonly [string, unknown][]): [string, unknown][] {
  const taken = new Set<string>();
  const times = new Map<string, number>();
  return entries.map(([key, value]) => {
    let name = key;
    while (taken.has(name)) {
      const next = (times.get(key) ?? 1) + 1;
      times.set(key, next);
      name = `${key} (${next})`;
    }
    taken.add(name);
    return [name, value];
  });
}
