import { appendFileSync } from 'node:fs';
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
  readonly #main = this.world.put('s.jsonl', '');
  readonly #agent = this.world.put('s/subagents/agent-a1.jsonl', '');
  readonly #start = this.world.now;
  #n = 0;
  #lagging: [string, string][] = [];

  turn(number: number): void {
    this.#arrive();
    this.world.now = this.#start + number * TURN_MS;
    const prompt = `Do number ${number}.`;
    const promptId = `p${number}`;
    this.#hook('UserPromptSubmit', { prompt, prompt_id: promptId });
    this.#write(this.#main, { type: 'user', promptId, message: { content: prompt } });
    for (let call = 0; call < CALLS; call += 1) this.#call(`${number}-${call}`);
    // A sub-agent in the background says something now and then, and it is on disk a moment later.
    const said = { content: [{ type: 'text', text: `Still at it, ${number}.` }] };
    this.#late(this.#agent, { type: 'assistant', isSidechain: true, agentId: 'a1', message: said });
    this.#late(this.#main, { type: 'assistant', message: this.#message(`Done ${number}.`) });
    this.#hook('Stop');
  }

  #call(id: string): void {
    const input = { command: `echo ${id}` };
    const tool = { tool_name: 'Bash', tool_use_id: id, tool_input: input };
    const use = { type: 'tool_use', id, name: 'Bash', input };
    const usage = { input_tokens: 10, output_tokens: 1 };
    this.#write(this.#main, {
      type: 'assistant',
      message: { id: `m${id}`, content: [use], usage },
    });
    this.#hook('PreToolUse', tool);
    this.#hook('PostToolUse', { ...tool, tool_response: { stdout: id } });
    const content = [{ type: 'tool_result', tool_use_id: id, content: id }];
    this.#write(this.#main, { type: 'user', message: { content } });
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
    this.world.now += 5;
    appendFileSync(file, this.#line(record));
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

test('in a long live session, stored states serve turn after turn, and are what a fold from the start is', () => {
  const client = new Client();
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
  // A turn has about 15 facts: without stored states the last one would fold some 1,000.
  expect(bare.at(context, 's').folded).toBeGreaterThan(600);
  expect(Math.max(...folded)).toBeLessThan(200);
  // What lags behind, in the main thread as in the sub-agent's, takes no stored state back.
  expect(states.at(context, 's').folded).toBeLessThan(200);
});
