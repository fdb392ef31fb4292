import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/platform/clock.ts';
import { openProject } from '../../src/project/open.ts';
import { DiskBudget } from '../../src/timetravel/disk-budget.ts';
import { walkDisk } from '../../src/timetravel/disk-walk.ts';
import { scratch } from '../support.ts';

it('leaves out the journal wherever it is, however the project’s folder is written', () => {
  const dir = scratch();
  for (const file of ['src/a.ts', '.cache/ben10/journal/lock', '.cache/other']) {
    mkdirSync(path.dirname(path.join(dir, file)), { recursive: true });
    writeFileSync(path.join(dir, file), '');
  }
  const env = { BEN10_CONTEXT_STORAGE_LOCATION: '.cache/ben10' };
  for (const written of [dir, `${dir}/`]) {
    const project = openProject(written, { lockBudgetMs: 0, env });
    const budget = new DiskBudget(systemClock, { bytes: 1000, ms: 60_000 });
    const names = walkDisk(project, budget).map(({ name }) => name);
    expect(names).toEqual(['.cache/other', 'src/a.ts']);
  }
});
