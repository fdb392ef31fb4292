import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { FRAME_KIND } from '../../src/journal/format/format.ts';
import type { Project } from '../../src/project/open.ts';
import { wordsOf } from '../../src/search/analyze.ts';
import { search } from '../../src/search/find.ts';
import { indexOf } from '../../src/search/keep-up.ts';
import { seeded } from '../seeded.ts';
import { openTestProject } from '../support.ts';
import { importInto } from '../tell.ts';
import { lived } from '../timetravel/lived.ts';
import { testProject } from '../timetravel/project.ts';
import { read } from './support.ts';

const FIXTURES = path.join(import.meta.dirname, '../fixtures');
const POINTS = 12;
const QUERIES = 8;

/** What is found and how it scores, without how long it took. */
function found(project: Project, query: string, upto?: number) {
  for (const _ of indexOf(project).steps());
  const point = upto === undefined ? {} : { point: { cut: { upto }, session: null } };
  const { matches, of, events, isMore } = search(project, { query, limit: 8, ...point });
  return { matches, of, events, isMore };
}

/** Some words of a document, as they stand there; now and then with a condition. */
function queryFrom(texts: readonly string[], random: () => number): string {
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!;
  const text = pick(texts);
  const words = wordsOf(text).map(({ start, end }) => text.slice(start, end));
  const some = Array.from({ length: 3 }, () => pick(words) ?? 'dates');
  const more = pick(['', '', 'kind:call', `-${some[1]}`, `"${some[2]}"`]);
  return `${some[0]} ${some[1]} ${more}`;
}

describe('a search of a journal', () => {
  const imported = (fixtures: string) => {
    const project = openTestProject();
    importInto(project, path.join(FIXTURES, fixtures));
    return project;
  };

  it.each<[name: string, whole: () => Project]>([
    ['imported sessions', () => imported('real-client')],
    ['imported transcripts', () => imported('transcripts')],
    ['recorded by hooks and transcripts', () => lived(testProject(), 'working-session')],
    ['recorded with a rewind', () => lived(testProject(), 'rewound-and-forked')],
  ])(
    'is at any point what it was when the journal ended there: %s',
    { tags: 'long', timeout: 120_000 },
    (_, make) => {
      const whole = make();
      const texts = read(whole).documents.flatMap(({ texts }) => Object.values(texts));
      const entries = [...whole.reader.entries()].flatMap(({ entry }) => entry ?? []);
      const random = seeded(7);
      const prefix = openTestProject();
      let length = 0;
      let matched = 0;
      for (let n = 1; n <= POINTS; n += 1) {
        const end = Math.floor((n * entries.length) / POINTS) - Math.floor(random() * 3);
        const next = entries.slice(length, end).filter(({ kind }) => kind === FRAME_KIND.event);
        prefix.writer.append(
          next.map(({ id, typeTag, payload }) => ({
            ...{ id: Buffer.from(id), typeTag, payload: Buffer.from(payload) },
            durability: 'process' as const,
          })),
        );
        length = end;
        for (let q = 0; q < QUERIES; q += 1) {
          const query = queryFrom(texts, random);
          const then = found(prefix, query);
          expect(found(whole, query, end), `${query} at @${end}`).toEqual(then);
          matched += then.matches.length;
        }
      }
      expect(matched).toBeGreaterThan((POINTS * QUERIES) / 2);
    },
  );
});
