import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { ServerContext } from '../../src/mcp/context.ts';
import { callTool, defineTool, type Tool } from '../../src/mcp/tool.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { testProject } from '../timetravel/project.ts';

const hints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
const lines: string[] = [];
const context = { log: createLogger('debug', (line) => lines.push(line)) } as ServerContext;

const tool = (name: string, run: Tool['run']): Tool =>
  defineTool({
    name,
    title: name,
    description: name,
    annotations: hints,
    input: z.strictObject({ count: z.int().max(3).optional() }),
    run,
  });

const tools = [
  tool('count', ({ count }) => ({ content: [{ type: 'text', text: String(count) }] })),
  tool('fail', () => {
    throw Object.assign(new TypeError('the secret is hunter2'), {
      stack: 'TypeError: hunter2\n    at f (x.ts:1)',
    });
  }),
];

const call = (name: string, args: Record<string, unknown> = {}) => {
  const { content, isError } = callTool(tools, name, args, {
    ...context,
    project: testProject(),
  });
  return { text: content[0]!.text, isError: isError ?? false };
};

describe('calling a tool', () => {
  it('gives it its checked input', () => {
    expect(call('count', { count: 3 })).toEqual({ text: '3', isError: false });
  });

  it('answers wrong arguments with every reason and what would be right', () => {
    expect(call('count', { count: 4, extra: 1 })).toEqual({
      text: expect.stringMatching(
        /^USAGE: wrong arguments for count: count: .*extra.*\nNext: .* count takes count\.$/,
      ),
      isError: true,
    });
  });

  it('answers a name that is none with the nearest', () => {
    expect(call('coutn')).toEqual({
      text: 'USAGE: there is no tool "coutn"\nNext: The nearest is count. All: count, fail.',
      isError: true,
    });
  });

  it('turns a fault into an answer, and logs where it was but not what it said', () => {
    expect(call('fail')).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^MCP_TOOL_ERROR: /),
    });
    expect(lines).toEqual(['ben10 error: fail: TypeError at f (x.ts:1)\n']);
  });
});
