/** @module-tag long */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PromptSubmitted, ToolCalled } from '../../src/events/types.ts';
import type { Fact, Projection } from '../../src/projections/contract.ts';
import { context } from '../../src/projections/folds/context.ts';
import { files } from '../../src/projections/folds/files.ts';
import { tasks } from '../../src/projections/folds/tasks.ts';
import { tools } from '../../src/projections/folds/tools.ts';
import { usage } from '../../src/projections/folds/usage.ts';
import type { Place } from '../../src/projections/order.ts';
import { Differences } from './support/differences.ts';
import { type Recorded, recordedSessions } from './support/recorded.ts';
import { type Delivery, play, World } from './support/world.ts';

const PROJECTIONS = [context, files, tools, tasks, usage] as Projection[];
/** Of each recorded session. */
const RUNS = 6;

interface Snapshot {
  session: string;
  /** The prompt that the history was cut before; the last one is the end. */
  prompt: string;
  states: Record<string, unknown>;
}

const FACTS = ['prompt.submitted', 'tool.called', 'tool.succeeded', 'tool.failed'];

const sessionsOf = ({ transcripts }: Recorded): string[] => [
  ...new Set(transcripts.map(({ session }) => session)),
];

/** The states of every session before each of its prompts, and at its end. */
function snapshots(world: World, recorded: Recorded, differences: Differences): Snapshot[] {
  return sessionsOf(recorded).flatMap((session) => {
    const prompts = world.states
      .facts(session, ['prompt.submitted'])
      .filter(({ fact }) => fact.agent === null);
    const cuts = prompts.map(({ fact, place }) => ({ prompt: textOf(fact), before: place }));
    return [...cuts, { prompt: '(end)', before: undefined }].map(({ prompt, before }) => {
      const states = PROJECTIONS.map((projection) => [
        projection.name,
        foldBefore(world, projection, session, before, differences),
      ]);
      return { session, prompt, states: Object.fromEntries(states) };
    });
  });
}

const textOf = (fact: Fact): string => (fact.data as PromptSubmitted).text as string;

function foldBefore(
  world: World,
  projection: Projection,
  session: string,
  before: Place | undefined,
  differences: Differences,
): unknown {
  const cut = before === undefined ? {} : { before };
  const facts = world.states.facts(session, projection.types, cut).map(({ fact }) => fact);
  const fold = (all: Fact[]) =>
    all.reduce(
      (state, fact) => projection.apply(state, structuredClone(fact)),
      projection.initial(),
    );
  // What people get is the same fold, from whatever was stored on the way.
  expect(world.states.at(projection, session, cut).state).toEqual(fold(facts));
  const comparable = facts.filter((fact) => !differences.isExcepted(fact));
  return differences.comparable(fold(comparable), session);
}

/** Every fact that the model saw is in the log exactly once. */
function expectEachFactOnce(world: World, recorded: Recorded, differences: Differences): void {
  const ids = world.events().map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const facts = sessionsOf(recorded).flatMap((session) =>
    world.states.facts(session, FACTS).map(({ fact }) => fact),
  );
  const names = facts.map(factName);
  expect(names).toEqual([...new Set(names)]);
  const { model } = recorded;
  if (model === undefined) return;
  const told = (type: string) => facts.filter((fact) => fact.type === type);
  const calls = told('tool.called').map(({ data }) => (data as ToolCalled).toolUseId);
  const seenByHooks = new Set(recorded.moments.map(({ input }) => input.tool_use_id));
  const inTranscripts = recorded.transcripts.flatMap(({ lines }) => lines).join('');
  const expected = model.toolUses.filter(
    ({ id }) => inTranscripts.includes(id) || (seenByHooks.has(id) && calls.includes(id)),
  );
  expect(new Set(calls)).toEqual(new Set(expected.map(({ id }) => id)));
  const prompts = told('prompt.submitted')
    .filter(({ agent }) => agent === null)
    .map(textOf);
  expect(new Set(prompts)).toEqual(new Set(model.prompts.map(asTyped)));
  const outcomes = facts.filter(({ type }) => type === 'tool.succeeded' || type === 'tool.failed');
  for (const { toolUseId, isError } of model.toolResults) {
    const outcome = outcomes.find(({ data }) => (data as ToolCalled).toolUseId === toolUseId)!;
    const type = isError ? 'tool.failed' : 'tool.succeeded';
    // Of an interrupted call the transcript says that it failed, whatever the model saw.
    if (!differences.isExcepted(outcome))
      expect([toolUseId, outcome.type]).toEqual([toolUseId, type]);
  }
}

/** The client hands a command of the project's on as what it stands for; the user typed its name. */
const asTyped = (prompt: string): string =>
  prompt === 'Review src/todo.js.\n' ? '/review src/todo.js' : prompt;

/** What may be there once: in a session, a call, its outcome, a prompt by its place. */
function factName({ session, type, data, trace, id }: Fact): string {
  const { toolUseId } = data as { toolUseId?: string };
  const kind = type === 'tool.called' ? 'call' : type === 'prompt.submitted' ? 'prompt' : 'outcome';
  return [session, kind, toolUseId ?? trace?.uuid ?? id].join(' ');
}

const everyHookInOrder = ({ moments }: Recorded): Delivery[][] =>
  moments.map((_, which) => [{ which, spooled: false }]);

/** Hooks that were dropped, came late (some after everything was read), came again, or had to wait in the inbox. */
const anyDelivery = ({ moments }: Recorded): fc.Arbitrary<Delivery[][]> => {
  const late = fc.integer({ min: 0, max: moments.length });
  const delays = fc.oneof(
    { weight: 4, arbitrary: fc.constant([0]) },
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 2, arbitrary: fc.tuple(fc.integer({ min: 1, max: 6 })) },
    { weight: 1, arbitrary: fc.tuple(late) },
    { weight: 1, arbitrary: fc.tuple(fc.constant(0), late) },
  );
  const spooled = fc.oneof(
    { weight: 9, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  );
  const fate = fc.record({ delays, spooled });
  return fc.array(fate, { minLength: moments.length, maxLength: moments.length }).map((fates) => {
    const slots: Delivery[][] = Array.from({ length: moments.length + 1 }, () => []);
    for (const [which, one] of fates.entries()) {
      for (const delay of one.delays) {
        slots[Math.min(which + delay, moments.length)]!.push({ which, spooled: one.spooled });
      }
    }
    return slots;
  });
};

describe.each(recordedSessions())('$name', (recorded) => {
  const differences = new Differences(recorded);

  function imported(): Snapshot[] {
    const world = new World();
    for (const transcript of recorded.transcripts) world.grow(transcript);
    world.import(world.transcripts);
    const taken = snapshots(world, recorded, differences);
    world.close();
    return taken;
  }

  function played(deliveries: readonly Delivery[][]): Snapshot[] {
    const world = new World();
    play(world, recorded, deliveries);
    expectEachFactOnce(world, recorded, differences);
    const taken = snapshots(world, recorded, differences);
    const before = world.events().length;
    expect(world.import(world.transcripts).reduce((sum, one) => sum + one.added, 0)).toBe(0);
    expect(world.events()).toHaveLength(before);
    world.close();
    return taken;
  }

  test('hooks with reconciliation fold to the same as the transcript alone, before every prompt and at the end', () => {
    expect(played(everyHookInOrder(recorded))).toEqual(imported());
  });

  test('so do hooks of which any were dropped, repeated, reordered or late', () => {
    const expected = imported();
    fc.assert(
      fc.property(anyDelivery(recorded), (deliveries) => {
        expect(played(deliveries)).toEqual(expected);
      }),
      { numRuns: RUNS },
    );
  });
});
