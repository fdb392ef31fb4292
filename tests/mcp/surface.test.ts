import { describe, expect, it } from 'vitest';
import { ANSWER_BYTES_MAX, DESCRIPTION_BYTES_MAX } from '../../src/mcp/limits.ts';
import { PROFILES } from '../../src/mcp/profiles.ts';
import { INSTRUCTIONS, toolList } from '../../src/mcp/server.ts';
import { RECORD_TOOL } from '../../src/setup/hooks-table.ts';

/**
 * What a client keeps of the tools in its context: at most 2,000 tokens (cl100k), in bytes of UTF-8, and a twentieth to
 * spare. Names, descriptions and schemas have 4.25 bytes a token: js-tiktoken makes 1,898 tokens of 8,075 bytes of them.
 */
const SURFACE_BYTES_MAX = 2_000 * 4.25 * 0.95;
/** The whole answer to `tools/list`, bytes. */
const LIST_BYTES_MAX = 24 * 1024;

const { tools } = toolList(PROFILES.core.tools);
const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

describe('the surface that a model sees', () => {
  it('is these tools, in this order', () => {
    expect(tools.map((tool) => tool.name)).toEqual([
      'ben10_status',
      'ben10_log',
      'ben10_replay',
      'ben10_save',
      'ben10_restore',
      'ben10_checkpoint',
      'ben10_snapshot_list',
      'ben10_snapshot_restore',
      'ben10_diff',
      'ben10_clear',
      'ben10_recall',
      'ben10_lost',
      'get_dev_context',
      'save_work_state',
      'ben10_record',
    ]);
    expect(PROFILES.core.tools.length).toBeLessThanOrEqual(16);
  });

  it('takes no more of a context than was promised', () => {
    const seen = tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema,
    }));
    expect(bytes(seen)).toBeLessThanOrEqual(SURFACE_BYTES_MAX);
    expect(bytes({ tools })).toBeLessThanOrEqual(LIST_BYTES_MAX);
  });

  it('says of a restore that it gives back context and not files', () => {
    const restore = tools.find(({ name }) => name === 'ben10_restore');
    expect(restore?.description).toContain('It gives back context, not files');
  });

  it('keeps every description and the instructions below what the client cuts', () => {
    expect(Buffer.byteLength(INSTRUCTIONS)).toBeLessThanOrEqual(DESCRIPTION_BYTES_MAX);
    for (const { description } of tools) {
      expect(Buffer.byteLength(description!)).toBeLessThanOrEqual(DESCRIPTION_BYTES_MAX);
    }
  });

  it.each(tools.map((tool) => [tool.name, tool] as const))('says all of %s', (name, tool) => {
    expect(tool.title).toBeTruthy();
    expect(tool.description).toBeTruthy();
    expect(Object.keys(tool.annotations!).sort()).toEqual([
      'destructiveHint',
      'idempotentHint',
      'openWorldHint',
      'readOnlyHint',
    ]);
    expect(tool.inputSchema.type).toBe('object');
    // The client flattens or refuses these at the root.
    expect(tool.inputSchema).not.toHaveProperty('anyOf');
    expect(tool.inputSchema).not.toHaveProperty('oneOf');
    expect(tool.inputSchema).not.toHaveProperty('allOf');
    if (name !== RECORD_TOOL) expect(tool.inputSchema.additionalProperties).toBe(false);
  });

  it('has a schema for the answers that are data, and none where they are text', () => {
    const withSchema = tools.filter((tool) => tool.outputSchema !== undefined);
    expect(withSchema.map((tool) => tool.name)).toEqual([
      'ben10_status',
      'ben10_log',
      'ben10_replay',
      'ben10_save',
      'ben10_checkpoint',
      'ben10_snapshot_list',
      'ben10_diff',
      'ben10_clear',
    ]);
    for (const name of [
      'ben10_restore',
      'ben10_snapshot_restore',
      'get_dev_context',
      'save_work_state',
    ])
      expect(tools.find((tool) => tool.name === name)).not.toHaveProperty('outputSchema');
  });

  it('marks what only reads, and nothing as destructive or reaching outside', () => {
    const readOnly = tools.filter((tool) => tool.annotations!.readOnlyHint);
    expect(readOnly.map((tool) => tool.name)).toEqual([
      'ben10_status',
      'ben10_log',
      'ben10_replay',
      'ben10_snapshot_list',
      'ben10_diff',
      'ben10_recall',
      'ben10_lost',
    ]);
    for (const { annotations } of tools) {
      expect(annotations!.destructiveHint).toBe(false);
      expect(annotations!.openWorldHint).toBe(false);
    }
  });

  it('says in the sink that it is not for a model', () => {
    const sink = tools.find((tool) => tool.name === RECORD_TOOL)!;
    expect(sink.description).toMatch(/^For hooks only/);
  });

  it('cannot answer more tokens than the client takes, for a token is at least one byte', () => {
    expect(ANSWER_BYTES_MAX).toBeLessThan(25_000);
  });
});
