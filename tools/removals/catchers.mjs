import path from 'node:path';
import { runProgram } from '../harnesses/run.mjs';
import { bundle } from './bundle.mjs';

/**
 * @typedef {{ program: string, args: string[] }} Run a program in TypeScript and what it is given, or files of tests, with a comma between, and parts of their names, all without any
 * @typedef {{ text: string, where: string, again: Run }} Catch what was wrong; `again` shows it in the shortest time
 */

const SIMULATION = 'tests/sim/main.ts';
/** A removal can make the product wait for ever. */
const LIMIT_MS = 3 * 60 * 1000;

const fileOf = (catcher) => `tests/${catcher.split('#')[0]}.test.ts`;
const isSimulation = (catcher) => catcher.startsWith('sim:');

/** The whole of a catcher. @param {number} seconds for each harness of the simulation */
export function wholeOf(catcher, seconds) {
  if (!isSimulation(catcher))
    return { program: fileOf(catcher), args: catcher.split('#').slice(1) };
  const harness = `--harness=${catcher.slice('sim:'.length)}`;
  return { program: SIMULATION, args: ['--brief', '--length=3', harness, `--seconds=${seconds}`] };
}

/** Whether a run is a part of one of a step's catchers: a hint may be older than the list. */
export const isOf = ({ program, args }, catchers) =>
  catchers.some((one) =>
    isSimulation(one)
      ? program === SIMULATION
      : program === fileOf(one) && (args[0] ?? '').includes(one.split('#')[1] ?? ''),
  );

/** A process of tests takes longer to start than most of them do. */
const TEST_PROCESSES = 2;

/** The same runs, each once, and those of all files of tests as few. @param {readonly Run[]} runs */
export function together(runs) {
  const simulated = new Map();
  const argsOf = new Map();
  for (const { program, args } of runs) {
    if (program === SIMULATION) simulated.set(JSON.stringify(args), { program, args });
    else argsOf.set(program, [...(argsOf.get(program) ?? []), args]);
  }
  const files = [...argsOf.keys()];
  const tested = Array.from({ length: Math.min(TEST_PROCESSES, files.length) }, (_, lane) => {
    const program = files.filter((_, at) => at % TEST_PROCESSES === lane);
    const all = program.flatMap((file) => argsOf.get(file));
    const args = all.some(({ length }) => length === 0) ? [] : [...new Set(all.flat())];
    return { program: program.join(), args };
  });
  return [...tested, ...simulated.values()];
}

/** Programs, bundled once each, from the sources with some edits. */
export class Bundles {
  #dir;
  #edits;
  #made = new Map();

  constructor(dir, edits) {
    this.#dir = dir;
    this.#edits = edits;
  }

  async of(program) {
    const outfile = path.join(this.#dir, `${program.slice(0, 80).replaceAll(/[/,]/g, '-')}.mjs`);
    if (!this.#made.has(program))
      this.#made.set(program, bundle(program.split(','), this.#edits, outfile));
    await this.#made.get(program);
    return outfile;
  }
}

/**
 * Runs it.
 * @param {Run} run
 * @returns {Promise<Catch | undefined>} undefined when everything held
 * @throws when it neither held nor said what did not
 */
export async function runOn(bundles, run) {
  const file = await bundles.of(run.program);
  const { code, said, complained } = await runProgram([file, ...run.args], LIMIT_MS);
  const caught = run.program === SIMULATION ? inSimulation(said, run) : inTests(said, run);
  if (caught === undefined && code !== 0)
    throw new Error(
      `${run.program} ${run.args.join(' ')} ended with ${code}: ${complained.slice(-600)}`,
    );
  // A removal that breaks the program proves nothing.
  if (/\b(ReferenceError|SyntaxError)\b/.test(caught?.text ?? ''))
    throw new Error(`the sources do not run without the step: ${caught.text}`);
  return caught;
}

function inSimulation(said, run) {
  const found = /sentence (\d+): (.*)\n\s+at: (.*)/.exec(said);
  if (found === null) return undefined;
  const [, sentence, text, where] = found;
  return { text: `sentence ${sentence}: ${text}`, where, again: onlyThat(where) ?? run };
}

/** The arguments that repeat what stands behind `at:`, if one run can be told from it. */
function onlyThat(where) {
  const chance = /^\{.*?\}/.exec(where);
  if (chance !== null) return { program: SIMULATION, args: [`--only=${chance[0]}`] };
  const pair = /^(\w*): (\w) (?:waits|dies) at call \d+ for (\w)/.exec(where);
  if (pair !== null) {
    const [, before, first, second] = pair;
    const args = ['--brief', '--harness=interleaved', `--pair=${before}:${first}:${second}`];
    return { program: SIMULATION, args };
  }
  const word = /^(?:server|hooks) \w+(?= @)/.exec(where);
  return word === null
    ? undefined
    : { program: SIMULATION, args: ['--brief', `--only=${word[0]}`] };
}

function inTests(said, run) {
  const lines = said.split('\n').filter((line) => line.startsWith('{"passed"'));
  const result = JSON.parse(lines.at(-1) ?? '{}');
  if (result.passed === 0 && result.failed === undefined)
    throw new Error(`${run.program} has no such test: ${run.args.join(' ')}`);
  if (result.failed === undefined) return undefined;
  const { name, error } = result.failed;
  const text = error.split('\n')[0];
  return { text, where: name, again: { program: run.program, args: [name] } };
}
