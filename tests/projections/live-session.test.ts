/** @module-tag long */
import { appendFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Projection } from '../../src/projections/contract.ts';
import { context } from '../../src/projections/folds/context.ts';
import { cursors } from '../../src/projections/folds/cursors.ts';
import { sessions } from '../../src/projections/folds/sessions.ts';
import { usage } from '../../src/projections/folds/usage.ts';
import { World } from '../capture/support/world.ts';

const TURNS = 45;
const CALLS = 4;
/** From one prompt to the next, milliseconds. */
const TURN_MS = 30_000;
const PROJECTIONS: [Projection, string | null][] = [
  [context as Projection, 's'],
  [usage as Projection, 's'],
  [cursors as Projection, 's'],
  [sessions as Projection, null],
];

/** A client that hooks and writes as the real one does: the last records of a turn reach the disk after its end. */
class Client {
  readonly world = new World();
  readonly #main = path.join(this.world.transcripts, 's.jsonl');
  readonly #agent = path.join(this.world.transcripts, 's/subagents/agent-a1.jsonl');
  readonly #start = this.world.now;
  readonly #appears: number;
  #isThere = false;
  #n = 0;
  #lagging: [string, string][] = [];

  /** @param appears the turn from which on there are transcripts */
  constructor(appears = 1) {
    this.#appears = appears;
    mkdirSync(path.dirname(this.#agent), { recursive: true });
    if (appears === 1) for (const file of [this.#main, this.#agent]) appendFileSync(file, '');
  }

  turn(number: number): void {
    this.#isThere = number >= this.#appears;
    if (this.#isThere) this.#arrive();
    this.world.now = this.#start + number * TURN_MS;
    const prompt = `Do number ${number}.`;
    const promptId = `p${number}`;
    this.#hook('UserPromptSubmit', { prompt, prompt_id: promptId });
    this.#write(this.#main, { type: 'user', promptId, message: { content: prompt } });
    for (let call = 0; call < CALLS; call += 1) this.#call(`${number}-${call}`);
    // Of one that there never is a transcript of.
    if (this.#appears > 1) this.#hooks(`${number}-b2`, { agent_id: 'b2' });
    // A sub-agent in the background says something now and then, and it is on disk a moment later.
    const said = { content: [{ type: 'text', text: `Still at it, ${number}.` }] };
    this.#late(this.#agent, { type: 'assistant', isSidechain: true, agentId: 'a1', message: said });
    const last = `Done ${number}.`;
    this.#late(this.#main, { type: 'assistant', message: this.#message(last) });
    this.#hook('Stop', { last_assistant_message: last });
  }

  #call(id: string): void {
    const input = { command: `echo ${id}` };
    const use = { type: 'tool_use', id, name: 'Bash', input };
    const usage = { input_tokens: 10, output_tokens: 1 };
    this.#write(this.#main, {
      type: 'assistant',
      message: { id: `m${id}`, content: [use], usage },
    });
    this.#hooks(id);
    const content = [{ type: 'tool_result', tool_use_id: id, content: id }];
    this.#write(this.#main, { type: 'user', message: { content } });
  }

  #hooks(id: string, fields: object = {}): void {
    const input = { command: `echo ${id}` };
    const tool = { tool_name: 'Bash', tool_use_id: id, tool_input: input, ...fields };
    this.#hook('PreToolUse', tool);
    this.#hook('PostToolUse', { ...tool, tool_response: { stdout: id } });
  }

  #message(text: string): object {
    return { id: `m${this.#n}`, content: [{ type: 'text', text }] };
  }

  #hook(event: string, fields: object = {}): void {
    this.world.now += 5;
    const input = { session_id: 's', hook_event_name: event, ...fields };
    this.world.hook(input, { file: 's.jsonl', session: 's', agent: null, lines: [] });
  }

  #line(record: object): string {
    this.#n += 1;
    const timestamp = new Date(this.world.now).toISOString();
    return `${JSON.stringify({ sessionId: 's', uuid: `u${this.#n}`, timestamp, ...record })}\n`;
  }

  #write(file: string, record: object): void {
    this.#late(file, record);
    if (this.#isThere) appendFileSync(...this.#lagging.pop()!);
  }

  #late(file: string, record: object): void {
    this.world.now += 5;
    this.#lagging.push([file, this.#line(record)]);
  }

  #arrive(): void {
    for (const [file, line] of this.#lagging) appendFileSync(file, line);
    this.#lagging = [];
  }
}

/** Lives all turns; each state is what a fold from the start is. @returns how many facts were folded for it */
function foldedIn(client: Client): number[] {
  const { states, bare } = client.world;
  const folded: number[] = [];
  for (let turn = 1; turn <= TURNS; turn += 1) {
    client.turn(turn);
    for (const [projection, session] of PROJECTIONS) {
      const found = states.at(projection, session);
      expect(found.state).toEqual(bare.at(projection, session).state);
      if (projection.name === 'context') folded.push(found.folded);
    }
  }
  return folded;
}

test('in a long live session, stored states serve turn after turn, and are what a fold from the start is', () => {
  const client = new Client();
  const folded = foldedIn(client);
  const { states, bare } = client.world;
  // A turn has about 15 facts: without stored states the last one would fold some 1,000.
  expect(bare.at(context, 's').folded).toBeGreaterThan(600);
  expect(Math.max(...folded)).toBeLessThan(200);
  // What lags behind, in the main thread as in the sub-agent's, takes no stored state back.
  expect(states.at(context, 's').folded).toBeLessThan(200);
});

test('in one without a transcript they serve as well, and from the start of one that turns up late', () => {
  const appears = 30;
  const client = new Client(appears);
  const folded = foldedIn(client);
  expect(client.world.bare.at(context, 's').folded).toBeGreaterThan(500);
  // The lag of a turn, and of what lies within ten seconds, is folded each time.
  const [silent, late] = [folded.slice(0, appears - 1), folded.slice(appears + 2)];
  expect(Math.max(...silent)).toBeLessThan(100);
  expect(Math.max(...late)).toBeLessThan(100);
});
