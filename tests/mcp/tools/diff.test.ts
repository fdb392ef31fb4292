import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ANSWER_BYTES_MAX } from '../../../src/mcp/limits.ts';
import { playTurns, record } from '../session.ts';
import { type Connected, call, connect, dataOf, textOf } from '../support.ts';

interface Diff {
  note: string;
  diff: Record<string, unknown>;
  shortened: boolean;
  nextCursor?: string;
}

const diff = (server: Connected, args: Record<string, unknown> = {}) =>
  dataOf<Diff>(server, 'ben10_diff', args);

describe('ben10_diff', () => {
  it('without arguments compares the disk with what the session last saw', async () => {
    const server = await connect();
    mkdirSync(path.join(server.dir, 'src'));
    writeFileSync(path.join(server.dir, 'src/file-1.ts'), 'b\n');
    await playTurns(server, 2);
    const { diff: files } = await diff(server);
    expect(files.kind).toBe('files');
    expect(JSON.stringify(files)).toContain('file-1.ts');
    expect(JSON.stringify(files)).toContain('file-2.ts');
  });

  it('gives unified diffs of files when asked to, and of points never', async () => {
    const server = await connect();
    await playTurns(server, 1);
    const answer = await call(server, 'ben10_diff', { unified: true, from: '@1' });
    expect(textOf(answer)).toMatch(/^USAGE: unified compares files on disk/);
    const file = path.join(server.dir, 'a.txt');
    const tool_input = JSON.stringify({ file_path: file, content: 'a\n' });
    const tool = { tool_name: 'Write', tool_input };
    await record(server, 'PreToolUse', 'w', tool);
    await record(server, 'PostToolUse', 'w', { ...tool, tool_response: '{"type":"create"}' });
    writeFileSync(file, 'b\n');
    const { diff: found } = await diff(server, { unified: true });
    expect(JSON.stringify(found)).toContain('@@ -1,1 +1,1 @@\\n-a\\n+b');
    expect(JSON.stringify((await diff(server)).diff)).not.toContain('@@');
  });

  it('compares two points, or a point with now', async () => {
    const server = await connect();
    await playTurns(server, 3);
    const { diff: states } = await diff(server, { from: '@prompt:2', to: '@prompt:3' });
    expect(states).toMatchObject({
      kind: 'states',
      from: { seq: 5 },
      to: { seq: 10 },
      tools: { count: { from: 2, to: 4 } },
    });
    expect(JSON.stringify(states.files)).toContain('file-2.ts');
    expect(JSON.stringify(states.files)).not.toContain('file-3.ts');
    const { diff: untilNow } = await diff(server, { from: '@prompt:3' });
    expect(untilNow).toMatchObject({ tools: { failures: { from: 0, to: 1 } } });
  });

  it('gives a part in full, in pages, while more happens', { tags: 'long' }, async () => {
    const server = await connect();
    await playTurns(server, 60, 'o'.repeat(400));
    const whole = await call(server, 'ben10_diff', { from: '@0' });
    expect(whole.structuredContent).toMatchObject({ shortened: true });
    const runs: object[] = [];
    let args: Record<string, unknown> = { from: '@0', path: 'tools.added' };
    for (let page = 1; ; page += 1) {
      const answer = await call(server, 'ben10_diff', args);
      expect(Buffer.byteLength(textOf(answer))).toBeLessThanOrEqual(ANSWER_BYTES_MAX);
      const { diff: part, nextCursor } = answer.structuredContent as unknown as Diff;
      runs.push(...(part as unknown as object[]));
      if (nextCursor === undefined) break;
      args = { cursor: nextCursor };
      await record(server, 'PreToolUse', `late${page}`);
    }
    expect(runs).toHaveLength(120);
  });

  it('answers a point or a part that is not there with what is', async () => {
    const server = await connect();
    await playTurns(server, 1);
    const wrong: [object, RegExp][] = [
      [{ from: '@77' }, /^POINT_NOT_FOUND: /],
      [{ from: '@1', path: 'nothing' }, /^USAGE: there is nothing at path "nothing"/],
      [{ from: 1 }, /^USAGE: wrong arguments for ben10_diff: from: /],
    ];
    for (const [args, message] of wrong) {
      const answer = await call(server, 'ben10_diff', { ...args });
      expect(answer.isError).toBe(true);
      expect(textOf(answer)).toMatch(message);
    }
  });
});
