/** Records of a made-up session, as a 2.1 client writes them. */
type Json = Record<string, unknown>;

export const at = (seconds: number): string =>
  new Date(Date.UTC(2026, 10, 21, 9, 0, 0) + seconds * 1000).toISOString();

export const line = (record: Json): string => `${JSON.stringify(record)}\n`;

/** Writes records one after the other, each going on from the one before. */
export class Script {
  readonly session: string;
  #n = 0;
  #last: string | null = null;

  constructor(session = 's') {
    this.session = session;
  }

  #record(fields: Json): string {
    this.#n += 1;
    const uuid = `${this.session}-${this.#n}`;
    const common = {
      sessionId: this.session,
      uuid,
      parentUuid: this.#last,
      timestamp: at(this.#n),
    };
    this.#last = uuid;
    return line({ ...common, ...fields });
  }

  prompt(content: string, promptId?: string, fields: Json = {}): string {
    return this.#record({ type: 'user', promptId, cwd: '/app', message: { content }, ...fields });
  }

  says(text: string, fields: Json = {}): string {
    const message = { id: `m${this.#n}`, content: [{ type: 'text', text }] };
    return this.#record({ type: 'assistant', message, ...fields });
  }

  calls(id: string, name = 'Bash', input: unknown = { command: 'ls' }): string {
    const message = { id: `m${this.#n}`, content: [{ type: 'tool_use', id, name, input }] };
    return this.#record({ type: 'assistant', message });
  }

  result(id: string, content: unknown = 'ok', fields: Json = {}): string {
    const block = { type: 'tool_result', tool_use_id: id, content, ...fields };
    return this.#record({ type: 'user', message: { content: [block] } });
  }

  /** One of several records of an API message. */
  part(id: string, text: string, tokens: number): string {
    const usage = { input_tokens: tokens, output_tokens: 1 };
    return this.#record({
      type: 'assistant',
      message: { id, usage, content: [{ type: 'text', text }] },
    });
  }

  queued(prompt: string): string {
    const attachment = { type: 'queued_command', commandMode: 'prompt', prompt };
    return this.#record({ type: 'attachment', attachment });
  }

  boundary(): string {
    const compactMetadata = { trigger: 'manual' };
    return this.#record({ type: 'system', subtype: 'compact_boundary', compactMetadata });
  }

  summary(content: string, promptId?: string): string {
    return this.prompt(content, promptId, { isCompactSummary: true });
  }

  /** Goes on from an earlier record: the number of that record. */
  rewind(to: number): void {
    this.#last = `${this.session}-${to}`;
  }

  get count(): number {
    return this.#n;
  }
}
