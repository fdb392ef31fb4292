import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { emptyProject, here, json, lines, SESSION, SESSION_ID, SESSIONS } from '../support.ts';

interface Imported {
  transcripts: number;
  sessions: number;
  added: number;
  enriched: number;
  records: number;
  malformed: number;
  unknown: Record<string, number>;
  files: { path: string; session: string; agent: string | null; added: number }[];
}

describe('ben10 import', () => {
  it('takes a transcript in, and a second time is the same as once', async () => {
    const dir = emptyProject();
    const first = await here(dir, ['import', SESSION, '--json']);
    expect(first.status).toBe(0);
    expect(json<Imported>(first)).toMatchObject({
      transcripts: 1,
      sessions: 1,
      added: 51,
      malformed: 0,
      files: [{ path: SESSION, session: SESSION_ID, agent: null, added: 51 }],
    });
    const before = (await here(dir, ['log', '--json', '--type', 'tool.'])).stdout;
    const second = await here(dir, ['import', SESSION]);
    expect(second.stdout).toMatch(/^Nothing new in 1 transcript\./);
    expect(second.status).toBe(0);
    expect((await here(dir, ['log', '--json', '--type', 'tool.'])).stdout).toBe(before);
  });

  it('takes folders of any depth in, with sub-agents, and lists what came from where', async () => {
    const dir = emptyProject();
    const result = await here(dir, ['import', '--here', SESSIONS]);
    expect(result.status).toBe(0);
    expect(result.stdout).toMatch(/^\d+ new events from 13 transcripts of 10 sessions\./);
    expect(result.stdout).toMatch(/^ {2}transcript +size +records +new events$/m);
    expect(result.stdout.match(/\(agent\)/g)).toHaveLength(3);
    const agents = new Set(lines(await here(dir, ['log', '--json'])).map(({ agent }) => agent));
    expect(agents.size).toBe(4);
  });

  it('finds paths from the folder that it is run in', async () => {
    const dir = emptyProject();
    mkdirSync(path.join(dir, 'old'));
    copyFileSync(SESSION, path.join(dir, 'old/one.jsonl'));
    expect(json<Imported>(await here(dir, ['import', '--here', 'old', '--json'])).added).toBe(51);
  });

  it.runIf(process.platform === 'linux')(
    'says of a file that cannot be read which it is',
    async () => {
      const dir = emptyProject();
      const run = await here(dir, ['import', '/proc/self/mem', '--json']);
      expect(run.status).toBe(1);
      expect(json(run)).toMatchObject({
        error: {
          code: 'FS_READ_ERROR',
          message: expect.stringMatching(/^\/proc\/self\/mem cannot be read: EIO/),
          place: { file: '/proc/self/mem' },
          next: expect.stringContaining('plain file'),
        },
      });
      const long = await here(dir, ['import', 'x'.repeat(300), '--json']);
      expect(json(long)).toMatchObject({ error: { code: 'FS_NOT_FOUND' } });
    },
  );

  it('counts what it passed over', async () => {
    const dir = emptyProject();
    const file = path.join(dir, 'broken.jsonl');
    const prompt = {
      type: 'user',
      sessionId: 's1',
      uuid: 'u1',
      timestamp: '2026-11-21T10:00:00Z',
      message: { role: 'user', content: 'hello' },
    };
    const records = [
      JSON.stringify(prompt),
      'not json',
      '{"type":"from-the-future","sessionId":"s1"}',
    ];
    writeFileSync(file, records.map((line) => `${line}\n`).join(''));
    const { stdout } = await here(dir, ['import', file]);
    expect(stdout).toContain('1 new event from 1 transcript of 1 session.');
    expect(stdout).toContain('Skipped unreadable: 1 line.');
    expect(stdout).toContain('Skipped unknown records: from-the-future (1).');
  });

  it('keeps secrets out, also by the rules of the project', async () => {
    const dir = emptyProject();
    writeFileSync(
      path.join(dir, '.ben10/config.yaml'),
      'redaction:\n  patterns:\n    - id: TICKET\n      pattern: "TICKET-[0-9]+"\n',
    );
    const file = path.join(dir, 'secret.jsonl');
    const record = {
      type: 'user',
      sessionId: 's1',
      uuid: 'u1',
      timestamp: '2026-11-21T10:00:00Z',
      message: { role: 'user', content: 'see TICKET-12345' },
    };
    writeFileSync(file, `${JSON.stringify(record)}\n`);
    await here(dir, ['import', file]);
    expect(lines(await here(dir, ['log', '--json']))[0]).toMatchObject({
      data: { text: 'see [REDACTED:TICKET]' },
    });
  });

  it('says so when there is no transcript in what it was given', async () => {
    const dir = emptyProject();
    const empty = await here(dir, ['import', '.']);
    expect(empty.stdout).toContain('No transcript of Claude Code was found.');
    expect(empty.stdout).not.toContain('Left out');
    const missing = await here(dir, ['import', 'nowhere.jsonl']);
    expect(missing.status).toBe(1);
    expect(missing.stderr).toContain('nowhere.jsonl');
    expect(missing.stderr).toContain('[FS_NOT_FOUND]');
  });

  it('names the files that it left out because they are no transcripts', async () => {
    const dir = emptyProject();
    mkdirSync(path.join(dir, 'old/deep'), { recursive: true });
    copyFileSync(SESSION, path.join(dir, 'old/one.jsonl'));
    const others = Array.from({ length: 7 }, (_, n) => path.join(dir, `old/deep/data-${n}.jsonl`));
    for (const file of others) writeFileSync(file, '{"a":1}\n');
    const one = await here(dir, ['import', others[0]!]);
    expect(one.status).toBe(0);
    expect(one.stdout).toContain('No transcript of Claude Code was found.');
    expect(one.stdout).toContain(`Skipped a file that is not a transcript:\n  ${others[0]}\n`);
    const { stdout } = await here(dir, ['import', '--here', 'old']);
    expect(stdout).toContain('51 new events from 1 transcript');
    expect(stdout.match(/data-\d/g)).toHaveLength(5);
    expect(stdout).toContain('… and 2 more');
    const asJson = json<{ leftOut: string[] }>(
      await here(dir, ['import', '--here', 'old', '--json']),
    );
    expect(asJson.leftOut.sort()).toEqual(others);
  });
});
