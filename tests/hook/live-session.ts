import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { hooked } from './run-hook.ts';

type Json = Record<string, unknown>;

/** A session as the client lives it: the real hook's processes, and a transcript that is written beside them. */
export class LiveSession {
  readonly dir: string;
  readonly id: string;
  readonly #transcript: string;
  #parent: string | null = null;

  constructor(dir: string, id: string = randomUUID()) {
    this.dir = dir;
    this.id = id;
    const folder = path.join(dir, 'transcripts');
    mkdirSync(folder, { recursive: true });
    this.#transcript = path.join(folder, `${id}.jsonl`);
    writeFileSync(this.#transcript, '');
  }

  /** What the hook prints: JSON, or nothing. */
  async hook(event: string, fields: Json = {}): Promise<Json> {
    const about = { session_id: this.id, transcript_path: this.#transcript, ...fields };
    const stdout = await hooked(this.dir, event, about);
    return stdout === '' ? {} : (JSON.parse(stdout) as Json);
  }

  start = (source = 'startup') => this.hook('SessionStart', { source });
  stop = () => this.hook('Stop', { stop_hook_active: false });
  end = () => this.hook('SessionEnd', { reason: 'other' });

  async prompt(text: string): Promise<Json> {
    const promptId = randomUUID();
    const printed = await this.hook('UserPromptSubmit', { prompt: text, prompt_id: promptId });
    this.#line({ type: 'user', promptId, message: { role: 'user', content: text } });
    return printed;
  }

  /** @param at milliseconds since the epoch */
  say(text: string, at = Date.now()): void {
    this.#assistant({ type: 'text', text }, at);
  }

  /** A file that the agent makes: on disk, and told by the transcript alone. */
  write(name: string, content: string): void {
    const file = path.join(this.dir, name);
    writeFileSync(file, content);
    const id = `toolu_${randomUUID()}`;
    const input = { file_path: file, content };
    this.#assistant({ type: 'tool_use', id, name: 'Write', input });
    const result = { tool_use_id: id, type: 'tool_result', content: 'File created' };
    const told = { type: 'create', filePath: file, content, structuredPatch: [] };
    this.#line({
      type: 'user',
      message: { role: 'user', content: [result] },
      toolUseResult: { ...told, originalFile: null },
    });
  }

  #assistant(block: Json, at = Date.now()): void {
    const usage = { input_tokens: 10, output_tokens: 5 };
    const id = `msg_${randomUUID()}`;
    const message = { model: 'm', id, type: 'message', role: 'assistant', content: [block], usage };
    this.#line({ type: 'assistant', message }, at);
  }

  #line(record: Json, at = Date.now()): void {
    const uuid = randomUUID();
    const timestamp = new Date(at).toISOString();
    const about = { isSidechain: false, sessionId: this.id, cwd: this.dir, version: '2.1.329' };
    const line = { parentUuid: this.#parent, uuid, timestamp, ...about, ...record };
    appendFileSync(this.#transcript, `${JSON.stringify(line)}\n`);
    this.#parent = uuid;
  }
}
