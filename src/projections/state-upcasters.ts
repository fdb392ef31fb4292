/** A state as an older ben10 stored it, one version further on. Pure: it may change what it is given. */
type StateUpcaster = (state: Record<string, unknown>) => Record<string, unknown>;

/**
 * By projection and the version that is upcast from. They are for states whose events are gone; else a state is folded anew.
 * A projection that is raised to a new version gets one here, as long as stored states of it are kept for good.
 */
const UPCASTERS: Readonly<Record<string, Readonly<Record<number, StateUpcaster>>>> = {
  context: {
    // Clearing came with 6.
    5: (state) => ({ ...state, cleared: null }),
  },
};

/**
 * @returns undefined when no way leads from there to `to`
 */
export function upcastState(projection: string, state: unknown, from: number, to: number): unknown {
  if (typeof state !== 'object' || state === null || Array.isArray(state)) return undefined;
  const steps = Object.hasOwn(UPCASTERS, projection) ? UPCASTERS[projection]! : {};
  let upcast = state as Record<string, unknown>;
  for (let version = from; version < to; version += 1) {
    const step = Object.hasOwn(steps, version) ? steps[version] : undefined;
    if (step === undefined) return undefined;
    upcast = step(upcast);
  }
  return upcast;
}
