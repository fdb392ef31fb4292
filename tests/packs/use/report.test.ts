import { rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { UsageSampled } from '../../../src/events/types.ts';
import { addSources, createPack } from '../../../src/packs/change.ts';
import { takeSnapshot } from '../../../src/packs/kept/snapshots.ts';
import { lint } from '../../../src/packs/lint.ts';
import { packsOf, renderOf } from '../../../src/packs/of-project.ts';
import { factorsOf, knownOf, measuredFactor } from '../../../src/packs/use/factor.ts';
import { givenIn } from '../../../src/packs/use/given.ts';
import { reportOf } from '../../../src/packs/use/report.ts';
import { pathsAsked, suggest } from '../../../src/packs/use/suggest.ts';
import type { Project } from '../../../src/project/open.ts';
import { seeded } from '../../seeded.ts';
import { folder } from '../../support.ts';
import { ran, saw, tell } from '../../tell.ts';
import { testProject } from '../../timetravel/project.ts';
import { call } from './planted.ts';

const lines = (word: string): string => `${word} says so\n`.repeat(200);
const FILES = {
  'src/edited.ts': lines('edited'),
  'src/named.ts': lines('named'),
  'src/again.ts': lines('again'),
  'src/changed.ts': lines('changed'),
  'src/unused.ts': lines('unused'),
  'src/missing.ts': lines('missing'),
  'src/late.ts': lines('late'),
};

async function project(...sources: string[]): Promise<Project> {
  const made = testProject({ dir: folder(FILES) });
  createPack(made, 'auth', {}, 'cli');
  await addSources(made, 'auth', sources, {}, 'cli');
  return made;
}

/** Gives what the pack renders now to a session. @returns its tokens */
async function give(to: Project, session: string): Promise<number> {
  tell(to, saw('prompt.submitted', { text: 'go' }, { session, at: Date.now() }));
  const rendered = await renderOf(to, { packs: packsOf(to, ['auth']) });
  const about = { packs: ['auth'], auto: true, epoch: 0, session };
  const { id: snapshot } = takeSnapshot(to, rendered, about, 'tool');
  const { tokens, bytes: chars } = rendered;
  const { recorder } = to;
  const data = { snapshot, mode: 'full', tokens, chars } as const;
  recorder.append([recorder.ownEvent('pack.given', session, data, 'tool')]);
  return tokens;
}

let reads = 0;
const read = (made: Project, session: string, file: string, content: string) => {
  reads += 1;
  const input = { file_path: path.join(made.dir, file) };
  const response = { type: 'text', file: { filePath: input.file_path, content } };
  return ran(`toolu_read_${reads}`, 'Read', input, { response }, { session, at: Date.now() });
};
const did = (made: Project, session: string, ...all: string[]) =>
  tell(
    made,
    ...all.flatMap((one) => call(made, session, one)).map((one) => ({ ...one, at: Date.now() })),
  );
const said = (made: Project, session: string, text: string) =>
  tell(
    made,
    saw('message.recorded', { role: 'assistant', kind: 'text', text }, { session, at: Date.now() }),
  );

describe('the report of a pack', () => {
  const PACK = ['edited', 'named', 'again', 'changed', 'unused'].map((name) => `src/${name}.ts`);

  it('counts what was edited, named, read again with the same bytes, missing, and never used', async () => {
    const made = await project(...PACK);
    for (const session of ['one', 'two']) {
      await give(made, session);
      did(made, session, 'edit src/edited.ts', 'edit src/missing.ts', 'read ../away.ts');
      said(made, session, 'See `src/named.ts`: unused.tsx and not-unused.ts are others.');
      tell(made, ...read(made, session, 'src/again.ts', FILES['src/again.ts']));
      tell(made, ...read(made, session, 'src/changed.ts', 'something else\n'));
      for (let n = 0; n < 20; n += 1) did(made, session, 'edit src/edited.ts');
      did(made, session, 'edit src/late.ts');
    }
    const report = reportOf(made, 'auth');
    expect(report).toMatchObject({ given: 2, sessions: 2, lost: 0 });
    expect(report.missed).toEqual([{ file: 'src/missing.ts', sessions: 2 }]);
    const of = new Map(report.items.map((one) => [one.label, one]));
    const none = { given: 2, edited: 0, named: 0, readAgain: 0, readTokens: 0 };
    const tokens = (name: string) => of.get(`src/${name}.ts`)!.tokens;
    const as = (name: string, more: object) =>
      expect(of.get(`src/${name}.ts`)).toEqual({
        label: `src/${name}.ts`,
        tokens: tokens(name),
        ...none,
        ...more,
      });
    as('edited', { edited: 2 });
    as('named', { named: 2 });
    as('again', { readAgain: 2, readTokens: 2 * tokens('again') });
    as('changed', {});
    as('unused', {});
    const all = report.items.reduce((sum, one) => sum + one.tokens, 0);
    const used = tokens('edited') + tokens('named') + tokens('again');
    expect(report.usedShare).toBeCloseTo(used / all, 9);
  });

  it('ends with a compaction, and with the next time that it is given', async () => {
    const made = await project('src/edited.ts');
    await give(made, 's');
    await give(made, 's');
    tell(
      made,
      saw(
        'compaction.finished',
        { trigger: 'auto', summary: '' },
        { session: 's', at: Date.now() },
      ),
    );
    did(made, 's', 'edit src/edited.ts');
    expect(reportOf(made, 'auth')).toMatchObject({
      given: 2,
      sessions: 1,
      usedShare: 0,
      items: [{ given: 2, edited: 0 }],
    });
  });

  it('says how often what was given is lost', async () => {
    const made = await project('src/edited.ts');
    await give(made, 's');
    rmSync(path.join(made.root, 'pack-payloads'), { recursive: true });
    expect(reportOf(made, 'auth')).toMatchObject({ given: 1, lost: 1, usedShare: null, items: [] });
  });

  it('leads to suggestions of what was missing', async () => {
    const made = await project('src/edited.ts');
    await give(made, 's');
    did(made, 's', 'read src/late.ts');
    const { files, missed } = await pathsAsked(made, 'auth');
    const [first] = await suggest(made, files, { limit: 1, missed });
    expect(first).toMatchObject({ file: 'src/late.ts', why: { missed: 1 } });
  });

  it('lets lint name what two sessions missed, and what three files of the pack import', async () => {
    const made = testProject({
      dir: folder({
        ...FILES,
        ...Object.fromEntries(
          [1, 2, 3].map((n) => [`in/${n}.ts`, `import './${n}0.ts';\nimport '../src/named.ts';\n`]),
        ),
        'in/10.ts': '1\n',
      }),
    });
    createPack(made, 'auth', {}, 'cli');
    await addSources(made, 'auth', ['in/1.ts', 'in/2.ts'], {}, 'cli');
    for (const session of ['one', 'two', 'three']) {
      await give(made, session);
      did(made, session, session === 'three' ? 'read src/again.ts' : 'read src/late.ts');
    }
    const late = { problem: 'not_in_pack', what: 'src/late.ts' };
    const about = 'opened soon in 2 sessions that had it';
    expect(await lint(made, 'auth')).toEqual([{ ...late, about }]);
    await addSources(made, 'auth', ['in/3.ts'], {}, 'cli');
    const needed = (await lint(made, 'auth')).filter(({ problem }) => problem === 'not_in_pack');
    expect(needed).toContainEqual({
      problem: 'not_in_pack',
      what: 'src/named.ts',
      about: 'imported by 3 of its files',
    });
    expect(needed).toHaveLength(2);
  });

  it('is empty for one that nobody was given, and an error for none', async () => {
    const made = await project('src/edited.ts');
    expect(reportOf(made, 'auth')).toMatchObject({ given: 0, items: [], missed: [], factors: [] });
    expect(() => reportOf(made, 'other')).toThrow(
      expect.objectContaining({ code: 'PACK_NOT_FOUND' }),
    );
  });
});

describe('the factor', () => {
  let messages = 0;
  const usage = (made: Project, session: string, prompt: number, output: number, model = MODEL) => {
    messages += 1;
    const data: UsageSampled = {
      messageId: `msg_${messages}`,
      model,
      inputTokens: 3,
      cacheCreationTokens: 100,
      cacheReadTokens: prompt - 103,
      outputTokens: output,
    };
    tell(made, saw('usage.sampled', data, { session, at: Date.now() }));
  };
  const MODEL = 'claude-opus-4-8';

  it('is within 3 % of the generator’s, by model', async () => {
    const made = await project('src/edited.ts', 'src/named.ts');
    const random = seeded(7);
    for (const [model, factor] of [
      ['claude-opus-4-8', 1.31],
      ['claude-sonnet-4-5', 1.12],
    ] as const)
      for (let n = 0; n < 9; n += 1) {
        const session = `${model} ${n}`;
        const before = 20_000 + Math.floor(random() * 50_000);
        const output = 50 + Math.floor(random() * 300);
        usage(made, session, before, output, model);
        const tokens = await give(made, session);
        // Its call and the frame of its answer.
        const beside = Math.floor(random() * 20);
        const noise = 1 + (random() - 0.5) / 50;
        usage(
          made,
          session,
          before + output + Math.round(tokens * factor * noise) + beside,
          10,
          model,
        );
        const [found] = factorsOf(givenIn(made)).filter((one) => one.model === model);
        expect(found!.renders).toBe(n + 1);
        expect(Math.abs(found!.factor / factor - 1)).toBeLessThan(0.03);
        expect(found!.spread![0]).toBeLessThanOrEqual(found!.factor);
        expect(found!.spread![1]).toBeGreaterThanOrEqual(found!.factor);
      }
    expect(measuredFactor(made)).toMatchObject({ model: 'claude-sonnet-4-5', renders: 9 });
  });

  it('is not measured where the model was told much else at the same time', async () => {
    const made = await project('src/edited.ts');
    usage(made, 's', 20_000, 100);
    await give(made, 's');
    tell(made, ...read(made, 's', 'src/named.ts', FILES['src/named.ts']));
    usage(made, 's', 30_000, 100);
    expect(factorsOf(givenIn(made))).toEqual([]);
    expect(measuredFactor(made)).toEqual({ model: MODEL, factor: 1.53, renders: 0, spread: null });
  });

  it.each([
    ['claude-opus-4-6', 1.18],
    ['claude-opus-4-7', 1.53],
    ['claude-sonnet-4-5-20250929', 1.18],
    ['claude-opus-4-20250514', 1.18],
    ['claude-sonnet-5', 1.53],
    ['claude-haiku-5-5-20270101', 1.53],
    ['claude-3-5-haiku-20241022', 1.18],
    ['other', 1.18],
  ])('of %s is about %f before that', (model, factor) => {
    expect(knownOf(model)).toBe(factor);
  });
});
