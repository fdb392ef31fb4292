import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { GroupCommit } from '../../src/journal/append/group-commit.ts';
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
const context = {
  log: createLogger('debug', (line) => lines.push(line)),
  group: new GroupCommit(() => ({ seqs: [], written: 0, spooled: false })),
} as unknown as ServerContext;

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
  tool('later', async ({ count }) => {
    if (count === 3) throw new Error('too late');
    return { content: [{ type: 'text', text: 'at last' }] };
  }),
  tool('fail', () => {
    throw Object.assign(new TypeError('the secret is hunter2'), {
      stack: 'TypeError: hunter2\n    at f (x.ts:1)',
    });
  }),
];

const call = async (name: string, args: Record<string, unknown> = {}) => {
  const { content, isError } = await callTool(name, args, {
    ...context,
    offer: { ...context.offer, tools },
    project: testProject(),
  });
  return { text: content[0]!.text, isError: isError ?? false };
};

describe('calling a tool', () => {
  it('gives it its checked input', async () => {
    expect(await call('count', { count: 3 })).toEqual({ text: '3', isError: false });
  });

  it('answers wrong arguments with every reason and what would be right', async () => {
    expect(await call('count', { count: 4, extra: 1 })).toEqual({
      text: expect.stringMatching(
        /^USAGE: wrong arguments for count: count: .*extra.*\nNext: .* count takes count\.$/,
      ),
      isError: true,
    });
  });

  it('answers a name that is none with the nearest', async () => {
    expect(await call('coutn')).toEqual({
      text: 'USAGE: there is no tool "coutn"\nNext: Did you mean count? All tools: count, later, fail.',
      isError: true,
    });
  });

  it('waits for one that takes its time, and answers its fault, too', async () => {
    expect(await call('later')).toEqual({ text: 'at last', isError: false });
    expect(await call('later', { count: 3 })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^MCP_TOOL_ERROR: too late/),
    });
    lines.length = 0;
  });

  it('logs at debug each call, with its time or the code of what was wrong', async () => {
    lines.length = 0;
    await call('count', { count: 1 });
    await call('co\nutn');
    expect(lines).toEqual([
      expect.stringMatching(/^ben10 debug: count: answered in \d+ ms\n$/),
      'ben10 debug: co utn: USAGE\n',
    ]);
    lines.length = 0;
  });

  it('turns a fault into an answer, and logs where it was but not what it said', async () => {
    expect(await call('fail')).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^MCP_TOOL_ERROR: /),
    });
    expect(lines).toEqual(['ben10 error: fail: TypeError at f (x.ts:1)\n']);
  });
});
