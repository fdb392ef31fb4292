import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { scratch } from '../support.ts';
import { givenIn, hooked } from './run-hook.ts';

type Json = Record<string, unknown>;

/** Session `s` of a client: real hook processes, and a transcript that is written when the test says so. */
export class HookedSession {
  readonly dir = scratch();
  readonly transcript = path.join(this.dir, 's.jsonl');
  #records = 0;

  /** @returns what the hook put before the model */
  async hook(event: string, fields: Json = {}): Promise<string> {
    const about = { transcript_path: this.transcript, ...fields };
    return givenIn(await hooked(this.dir, event, about));
  }

  prompt(prompt: string, id: string): Promise<string> {
    return this.hook('UserPromptSubmit', { prompt, prompt_id: id });
  }

  /** A record that came about now, to be written later: the transcript lags. */
  record(fields: Json): string {
    this.#records += 1;
    const uuid = `u${this.#records}`;
    const parentUuid = this.#records === 1 ? null : `u${this.#records - 1}`;
    const timestamp = new Date().toISOString();
    return `${JSON.stringify({ sessionId: 's', uuid, parentUuid, timestamp, ...fields })}\n`;
  }

  write(...records: string[]): void {
    appendFileSync(this.transcript, records.join(''));
  }

  /** A command that ends with 3, as the transcript tells it. */
  failing(command: string): string[] {
    const id = `t${this.#records}`;
    const use = { type: 'tool_use', id, name: 'Bash', input: { command } };
    const result = { type: 'tool_result', tool_use_id: id, content: 'Exit code 3', is_error: true };
    return [
      this.record({ type: 'assistant', message: { id: `m${id}`, content: [use] } }),
      this.record({ type: 'user', message: { content: [result] } }),
    ];
  }

  /** A compaction that is done, as the transcript tells it. */
  compacted(summary: string, metadata: Json = { trigger: 'manual' }): string[] {
    const message = { role: 'user', content: summary };
    return [
      this.record({ type: 'system', subtype: 'compact_boundary', compactMetadata: metadata }),
      this.record({ type: 'user', isCompactSummary: true, promptId: 'p1', message }),
    ];
  }
}
