/** @module-tag long */
import { describe, expect, it } from 'vitest';
import { openTestProject } from '../support.ts';
import { importRecords } from '../tell.ts';
import { documented } from './support.ts';

const bench = (file: string) => import(/* @vite-ignore */ `../../bench/recall/${file}`);
const { isGivenBack } = await bench('evidence.mjs');
const { plantedSession } = await bench('plant.mjs');
const { recordsOf } = await bench('session.mjs');

interface Fact {
  kind: string;
}

const POOLS = ['minutes', 'roundabout', 'published'];
const KINDS = ['decision', 'correction', 'rule'];

describe('a handoff', () => {
  it('of sessions in manners of others keeps 95 % of what was decided, corrected and ruled', {
    timeout: 120_000,
  }, async () => {
    let [given, all] = [0, 0];
    for (const name of POOLS) {
      const { default: pool } = await bench(`pools/${name}/index.mjs`);
      for (const seed of [71, 72, 73]) {
        const session = plantedSession({ pool, seed, facts: 30, turns: 300 });
        const records: { sessionId?: string }[] = recordsOf(session.turns, `handoff-${seed}`);
        const lines = records.map((record) => `${JSON.stringify(record)}\n`);
        const project = importRecords(openTestProject(), lines);
        const whose = records.find(({ sessionId }) => sessionId !== undefined)!.sessionId!;
        const { text } = documented(project, {}, whose);
        const facts = (session.facts as Fact[]).filter(({ kind }) => KINDS.includes(kind));
        all += facts.length;
        given += facts.filter((fact) => isGivenBack(text, fact)).length;
      }
    }
    expect(all).toBeGreaterThan(120);
    expect(given / all).toBeGreaterThanOrEqual(0.95);
  });
});
