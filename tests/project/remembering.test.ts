import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { reconcile } from '../../src/capture/reconcile.ts';
import { findTranscripts } from '../../src/capture/transcripts.ts';
import type { JournalReader } from '../../src/journal/read/reader.ts';
import { openProject, type Project } from '../../src/project/open.ts';
import { readEvents } from '../../src/projections/events.ts';
import { context } from '../../src/projections/folds/context.ts';
import { cursors } from '../../src/projections/folds/cursors.ts';
import { recentSessions } from '../../src/projections/folds/sessions.ts';
import { realPorts, scratch } from '../support.ts';

const FIXTURES = path.resolve(import.meta.dirname, '../fixtures/transcripts');

/** As a hook opens it. */
const remembering = (dir: string) =>
  openProject(dir, { lockBudgetMs: 5000, lock: realPorts.lock!, rememberedBytes: 1e6 });
const fresh = (dir: string) => openProject(dir, { lockBudgetMs: 5000, lock: realPorts.lock! });

function read(project: Project, file: string): string[] {
  const { ports, reader, recorder, states } = project;
  const sources = findTranscripts(ports.fs, file);
  for (const source of sources) {
    const state = states.at(cursors, source.session).state;
    reconcile({ ports, reader, recorder, cursors: state, ...source, source: 'transcript' });
  }
  return [...new Set(sources.map(({ session }) => session))];
}

const eventsOf = (reader: JournalReader) =>
  [...readEvents(reader, realPorts.xxh64, {})].map((event) => ({ ...event, data: event.data }));

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return;
  Object.freeze(value);
  for (const one of Object.values(value)) freeze(one);
}

describe('a process that remembers what it has recorded', () => {
  it.each(readdirSync(FIXTURES).filter((name) => name !== 'SOURCES.md'))(
    'knows the very same of %s as one that reads the journal',
    (name) => {
      const dir = scratch();
      const own = remembering(dir);
      const sessions = read(own, path.join(FIXTURES, name));
      const remembered = eventsOf(own.reader);
      expect(remembered.length).toBeGreaterThan(3);
      expect(remembered).toStrictEqual(eventsOf(fresh(dir).reader));
      // Folds get what capture made, and must leave it as it is.
      for (const { entry } of own.reader.entries()) freeze(entry?.envelope);
      const states = sessions.map((session) => own.states.at(context, session).state);
      const again = fresh(dir).states;
      expect(states).toStrictEqual(sessions.map((session) => again.at(context, session).state));
      expect(own.states.at(recentSessions, null).state).toStrictEqual(
        again.at(recentSessions, null).state,
      );
    },
  );
});
