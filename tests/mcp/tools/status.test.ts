import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratch } from '../../support.ts';
import { playTurns } from '../session.ts';
import { call, connect, dataOf, textOf } from '../support.ts';

interface Status {
  exists: boolean;
  directory: string;
  health: string;
  warnings: string[];
  sessionCount: number;
  cost: { bytes: number; recordMs: { count: number } };
  server: { pid: number; startedAt: number; readOnly: boolean; events: Record<string, number> };
}

describe('ben10_status', () => {
  it('is there before anything was recorded', async () => {
    const server = await connect();
    expect(await dataOf(server, 'ben10_status')).toMatchObject({ exists: false });
  });

  it('says how the record is, what it costs, and what this server did', async () => {
    const server = await connect();
    await playTurns(server, 2);
    const answer = await call(server, 'ben10_status');
    const status = answer.structuredContent as unknown as Status;
    expect(status).toMatchObject({
      exists: true,
      directory: server.dir,
      health: 'good',
      warnings: [],
      sessionCount: 1,
      server: {
        pid: server.pid,
        readOnly: false,
        events: { recorded: 10, spooled: 0, ignored: 0, failed: 0 },
      },
    });
    expect(status.cost.bytes).toBeGreaterThan(0);
    expect(status.cost.recordMs.count).toBe(10);
    expect(JSON.parse(textOf(answer))).toEqual(status);
  });

  it('warns of a configuration that does not hold, and of where it is wrong', async () => {
    const dir = scratch();
    mkdirSync(path.join(dir, '.ben10'));
    writeFileSync(path.join(dir, '.ben10/config.yaml'), '# mine\ncontext:\n  autoSaev: true\n');
    const server = await connect(dir);
    await playTurns(server, 1);
    const { health, warnings } = await dataOf<Status>(server, 'ben10_status');
    expect(health).toBe('warning');
    expect(warnings).toEqual([expect.stringMatching(/autoSaev.*autoSave.*config\.yaml:3\)/)]);
    expect(server.stderr()).toMatch(/^ben10 warn: the configuration has a mistake/);
  });

  it('warns of a variable that is no value of its setting', async () => {
    const server = await connect(scratch(), { BEN10_RECALL_MAX_CHARS: 'many' });
    await playTurns(server, 1);
    const { warnings } = await dataOf<Status>(server, 'ben10_status');
    expect(warnings).toEqual([expect.stringMatching(/^BEN10_RECALL_MAX_CHARS .* is ignored$/)]);
  });
});
