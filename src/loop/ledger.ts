import { handoffOf, handoffsInLoop, peakOf } from '../handoff/exported-loop.ts';
import { allHandoffs, nameOf } from '../handoff/of-project.ts';
import { readView } from '../monitor/view.ts';
import type { Project } from '../project/open.ts';
import type { LoopRecord } from '../projections/folds/loops.ts';
import { iterationData } from './of-project.ts';

/** What each iteration took and left, the newest last; handoffs by name. */
export function ledgerOf(project: Project, { iterations }: LoopRecord) {
  const names = new Map(allHandoffs(project).map((one) => [one.checkpoint, nameOf(one)]));
  return iterations.map((one) => {
    const { isPromised, exit: _, ...data } = iterationData(one);
    const out = handoffOf(project, one);
    return {
      ...data,
      isPromised: isPromised ?? false,
      treeBefore: one.tree ?? null,
      treeAfter: one.end?.tree ?? null,
      handoffIn: names.get(one.handoffIn ?? '') ?? null,
      handoffOut: out === undefined ? null : nameOf(out),
      level: out?.level ?? null,
    };
  });
}

/** How full the contexts of its iterations were, and how many more its limits leave room for. */
export function contextOf(project: Project, loop: LoopRecord) {
  const newest = loop.iterations.at(-1);
  const isRunning = newest?.end === null && loop.stopped === null;
  const view = isRunning && newest.session ? readView(project.root, newest.session) : undefined;
  const taken = new Set(handoffsInLoop(project, loop).map(({ session }) => session));
  return {
    loop: loop.loop,
    percent: view?.percent ?? null,
    level: view?.level ?? null,
    forecast: view?.forecast ?? null,
    iterations: loop.iterations.map((one) => ({
      n: one.n,
      session: one.session ?? null,
      peak: peakOf(project, one),
      checkpoint: one.session !== undefined && taken.has(one.session),
    })),
    left: leftIn(loop),
  };
}

/** Iterations as they were so far, until the first limit comes. */
function leftIn({ limits, spent }: LoopRecord) {
  const room = (limit: number | undefined, used: number) =>
    limit === undefined ? null : Math.max(0, limit - used);
  const left = {
    max: Math.max(0, limits.max - spent.iterations),
    usd: room(limits.budgetUsd, spent.costUsd),
    tokens: room(limits.budgetTokens, spent.tokens),
    minutes: room(limits.minutes, spent.minutes),
  };
  const fits = (one: number | null, used: number) =>
    one === null || used === 0 ? left.max : Math.floor((one * spent.iterations) / used);
  const by = {
    max: left.max,
    usd: fits(left.usd, spent.costUsd),
    tokens: fits(left.tokens, spent.tokens),
    minutes: fits(left.minutes, spent.minutes),
  };
  const [first, iterations] = Object.entries(by).reduce((a, b) => (b[1] < a[1] ? b : a));
  return { ...left, iterations, first };
}
