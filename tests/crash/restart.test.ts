/** @module-tag long */
import { describe, expect, it } from 'vitest';
import type { CompactionStarted, TurnEnded } from '../../src/events/types.ts';
import { readEvents } from '../../src/projections/events.ts';
import { openTestProject } from '../support.ts';
import { Agent, restored, SESSION } from './restart-agent.ts';
import { compareStored } from './restart-stored.ts';
import { KINDS, work } from './restart-work.ts';

/** What was acknowledged and is no part of a state: turns that ended, and compactions with a snapshot behind each. */
function lostEvents({ dir, turns, compactions }: Agent): string[] {
  const project = openTestProject(dir);
  const types = ['turn.ended', 'compaction.started', 'snapshot.created'];
  const events = [...readEvents(project.reader, project.ports.xxh64, { types })];
  project.close();
  const ended = events.map(({ data }) => (data as TurnEnded).lastMessage);
  const isKept = (instructions: string): boolean => {
    const at = events.findIndex(
      ({ data }) => (data as CompactionStarted).customInstructions === instructions,
    );
    return at !== -1 && events[at + 1]?.type === 'snapshot.created';
  };
  return [
    ...turns.filter((message) => !ended.includes(message)),
    ...compactions.filter((instructions) => !isKept(instructions)),
  ];
}

describe('after a kill -9 of hooks and server, whenever it came', () => {
  it('a server that is started again gives back a state with everything that was acknowledged', {
    timeout: 300_000,
  }, async () => {
    const seed = Number(process.env.BEN10_SEED);
    const agent = new Agent(seed);
    expect(await agent.hook('SessionStart', { source: 'startup' })).toBe(true);
    const lost = new Set<string>();
    const compared = { rolling: 0, named: 0, current: 0 };
    let round = 0;
    for (const kind of KINDS) {
      while (!agent.killed.has(kind)) {
        await work(agent, kind, round);
        round += 1;
        const state = await restored(agent, {});
        for (const text of agent.promised) if (!state.includes(text)) lost.add(text);
        for (const text of lostEvents(agent)) lost.add(text);
        const { rolling, named, current } = compareStored(agent.dir, SESSION);
        compared.rolling += rolling;
        compared.named += named;
        compared.current += current;
      }
    }
    const [name, known] = [...agent.saves].at(-1)!;
    const saved = await restored(agent, { name });
    for (const text of known) if (!saved.includes(text)) lost.add(`${text} in ${name}`);
    const { promised, turns, compactions, saves, killed, withoutCall } = agent;
    const counts = [promised, turns, compactions].map((all) => all.length);
    const tally = {
      counts,
      saves: saves.size,
      withoutCall,
      compared,
      killed: Object.fromEntries(killed),
    };
    process.stdout.write(`restart: ${JSON.stringify(tally)}, seed ${seed}\n`);
    expect([...lost]).toEqual([]);
    expect([...killed.keys()].sort()).toEqual([...KINDS].sort());
    for (const many of [...counts, withoutCall, ...Object.values(compared)])
      expect(many).toBeGreaterThan(0);
  });
});
