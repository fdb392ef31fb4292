import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readTranscript } from './driver/transcripts.ts';

const FIXTURES = fileURLToPath(new URL('../fixtures/real-client/', import.meta.url));

const sessions = readdirSync(FIXTURES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

const filesOf = (session: string): string[] =>
  readdirSync(join(FIXTURES, session), { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

describe.each(sessions)('the recorded session %s', (session) => {
  it('names nothing of the machine that recorded it', () => {
    for (const path of filesOf(session)) {
      expect(readFileSync(path, 'utf8'), path).not.toMatch(/ben10-e2e|\/root\b|\/tmp\/(?!claude-)/);
    }
  });

  it('has transcripts in which every record finds its parent', () => {
    for (const path of filesOf(session).filter((name) => /projects\/.*\.jsonl$/.test(name))) {
      const records = readTranscript(path);
      const uuids = new Set(records.map(({ uuid }) => uuid));
      const orphans = records.filter(({ parentUuid }) => parentUuid && !uuids.has(parentUuid));
      expect(orphans, path).toEqual([]);
    }
  });

  it('says for every hook when it came', () => {
    const events = (name: string, field: string): string[] =>
      readTranscript(join(FIXTURES, session, name)).map((line) => String(line[field]));
    const hooks = events('hooks.jsonl', 'hook_event_name');
    expect(hooks).toContain('SessionEnd');
    expect(events('arrivals.jsonl', 'event')).toEqual(hooks);
    expect(events('arrivals.jsonl', 'at')).toEqual(events('arrivals.jsonl', 'at').sort());
  });
});
