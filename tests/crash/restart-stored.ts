import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { Decoder } from '@msgpack/msgpack';
import { expect } from 'vitest';
import { decodeContainer } from '../../src/journal/format/container.ts';
import { readManifest } from '../../src/journal/format/manifest.ts';
import { lz4Codec } from '../../src/platform/codecs/lz4.ts';
import type { Project } from '../../src/project/open.ts';
import { CheckpointStore } from '../../src/projections/checkpoints.ts';
import type { ContextState } from '../../src/projections/folds/context.ts';
import type { CurrentMeta } from '../../src/timetravel/current.ts';
import { PROJECTIONS } from '../../src/timetravel/replay.ts';
import { storedStates } from '../../src/timetravel/stored-points.ts';
import { loadStored } from '../../src/timetravel/stored-state.ts';
import { decoders, openTestProject } from '../support.ts';
import { statesOf } from '../timetravel/project.ts';

/** How many were compared. */
export interface Compared {
  /** Of the states that roll, whichever projection's. */
  rolling: number;
  /** Saves and snapshots. */
  named: number;
  /** `current.ctx`: 0 where the kill came between it and its `.meta`. */
  current: number;
}

/** Compares everything that is stored beside the journal of a project with a fold of the journal from its first event. */
export function compareStored(dir: string, session: string): Compared {
  const project = openTestProject(dir);
  const folded = statesOf(project, false);
  const contextAt = (upto: number) => folded.at(PROJECTIONS.context!, session, { upto }).state;
  const compared = { rolling: compareRolling(project, session), named: 0, current: 0 };
  for (const ref of storedStates(project)) {
    if (!existsSync(`${project.root}/${ref.file}`)) continue; // retention took it
    const { state, notes } = loadStored(project, ref);
    expect(notes).toEqual([]);
    expect(state, ref.name).toEqual(stored(contextAt(ref.upto)));
    compared.named += 1;
  }
  const current = currentOf(project);
  if (current !== undefined) {
    expect(current.state, 'current.ctx').toEqual(stored(contextAt(current.meta.seq)));
    compared.current = 1;
  }
  project.close();
  return compared;
}

/** Rolling states at each event that one was stored at, and now. */
function compareRolling(project: Project, session: string): number {
  const { ports, layout, states } = project;
  const folded = statesOf(project, false);
  const epoch = readManifest(ports, layout)?.erasureEpoch ?? 0;
  const store = new CheckpointStore(ports, layout, { lz4: lz4Codec, decoders }, epoch);
  let count = 0;
  for (const projection of Object.values(PROJECTIONS)) {
    const of = projection.scope === 'session' ? session : null;
    for (const upto of store.list(projection, of)) {
      const name = `${projection.name} at ${upto}`;
      expect(store.load(projection, of, upto), name).toBeDefined();
      const { state } = states.at(projection, of, { upto });
      expect(state, name).toEqual(folded.at(projection, of, { upto }).state);
      count += 1;
    }
    const { state } = states.at(projection, of);
    expect(state, `${projection.name} now`).toEqual(folded.at(projection, of).state);
  }
  return count;
}

/** As another tool reads it; undefined where its sum does not fit. */
function currentOf({
  root,
  ports,
}: Project): { meta: CurrentMeta; state: ContextState } | undefined {
  if (!existsSync(`${root}/current.ctx.meta`)) return undefined;
  const bytes = readFileSync(`${root}/current.ctx`);
  const meta = JSON.parse(readFileSync(`${root}/current.ctx.meta`, 'utf8')) as CurrentMeta;
  if (hash('sha256', bytes, 'hex') !== meta.sha256) return undefined;
  const plain = decodeContainer(bytes, decoders, ports.xxh64)!;
  return { meta, state: new Decoder().decode(plain) as ContextState };
}

/** A state as it comes out of a file: what is undefined is not written. */
const stored = (state: unknown): unknown => JSON.parse(JSON.stringify(state));
