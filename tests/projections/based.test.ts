import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { BASED, isKept } from '../../src/projections/based.ts';
import type { Projection } from '../../src/projections/contract.ts';
import { context } from '../../src/projections/folds/context.ts';

const FOLDS = path.resolve(import.meta.dirname, '../../src/projections/folds');

async function allProjections(): Promise<Projection[]> {
  const modules = await Promise.all(
    readdirSync(FOLDS).map((name) => import(path.join(FOLDS, name)) as Promise<object>),
  );
  return modules
    .flatMap((one) => Object.values(one))
    .filter((one): one is Projection => typeof one?.apply === 'function' && 'scope' in one);
}

test('the state of every projection survives a drop of old events, or none of its events is dropped', async () => {
  const based = new Set([...BASED.project, ...BASED.session].map(({ name }) => name));
  const parts = new Set(Object.keys(context.initial()));
  const others = (await allProjections()).filter(
    ({ name, types }) => !based.has(name) && !parts.has(name) && !types.every(isKept),
  );
  expect(others.map(({ name }) => name)).toEqual([]);
  expect(based.size).toBeGreaterThan(4);
});

test('states that survive are of the scope that they are kept for', () => {
  for (const one of BASED.project) expect(one.scope).toBe('project');
  for (const one of BASED.session) expect(one.scope).not.toBe('project');
});
