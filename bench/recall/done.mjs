// Facts that show in what is done: files, commands with their results, measured numbers, errors; with what looks like them.
import { asked, bash, edit, many, read, step, told } from './said.mjs';
import { fill, measured, pick } from './world.mjs';

/** Units of which there are no fractions. */
const COUNTED = new Set(['rows', 'jobs', 'req/s', 'ppm']);
const EXITS = [1, 2, 101];

export function path(pool, about, random) {
  const sub = pick(['user', 'agent', 'edited'], random);
  const sentence = fill(pick(pool.paths[sub], random), about);
  const turn = {
    user: () => asked(pool, sentence, about, random),
    agent: () => told(pool, sentence, random, [read(about.path, `export const ${about.name} = 1`)]),
    edited: () =>
      told(pool, sentence, random, [
        edit(about.path, 'return null', `return ${about.name}(value)`),
      ]),
  }[sub]();
  const near = many(10, () => about.near().path);
  const found = near.slice(0, 8).join('\n');
  const glob = { name: 'Glob', input: { pattern: `**/*.${about.ending}` }, output: found };
  const noise = [
    step(pool, 'look', about, random, [glob]),
    ...near.slice(8).map((file) => ({ calls: [read(file, 'export {}')] })),
  ];
  return { sub, evidence: { path: about.path }, turns: [turn], noise, distractors: near.length };
}

export function command(pool, about, random) {
  const { lines, user, agent, after, trivial, ...outputs } = pool.commands;
  const line = fill(pick(lines, random), about);
  const sub = random() < 0.6 ? 'passed' : 'failed';
  const exit = sub === 'passed' ? 0 : pick(EXITS, random);
  const values = { ...about, command: line };
  const calls = [bash(line, fill(pick(outputs[sub], random), values), exit)];
  const first =
    random() < 0.5
      ? asked(pool, fill(pick(user, random), values), about, random, { calls })
      : told(pool, fill(pick(agent, random), values), random, calls);
  const last = told(pool, fill(pick(after[sub], random), about), random);
  const idle = trivial.map((form) => {
    const beside = about.near();
    return bash(fill(form, { ...beside, near: beside.path }), beside.path);
  });
  const noise = many(4, (n) => ({ calls: idle.slice(n * 3, n * 3 + 3) }));
  const turns = [first, last];
  return { sub, evidence: { command: line, exit }, turns, noise, distractors: idle.length };
}

export function number(pool, about, random) {
  const { measures, agent, user, noise: forms, metrics, guesses } = pool.numbers;
  const { what, words, unit } = pick(measures, random);
  const counted = COUNTED.has(unit);
  const value = measured(random, counted);
  const values = { ...about, what: fill(what, about), value, unit };
  const other = () => ({ ...values, other: measured(random, counted) });
  const lines = metrics.map((metric) => fill(pick(forms, random), { ...other(), metric }));
  const run = (of, output) => bash(fill(pick(pool.tools.measure, random), of), output);
  const report = [...lines.slice(0, 4), `${values.what}: ${value} ${unit}`].join('\n');
  const sub = random() < 0.3 ? 'user' : 'agent';
  const quote = fill(pick({ user, agent }[sub], random), values);
  const turns =
    sub === 'user'
      ? [asked(pool, quote, about, random)]
      : [step(pool, 'measure', about, random, [run(about, report)]), told(pool, quote, random)];
  const noise = [
    step(pool, 'again', about, random, [run(about.near(), lines.join('\n'))]),
    ...guesses.map((form) => told(pool, fill(form, other()), random)),
  ];
  const evidence = { words: [value, ...words.map((word) => fill(word, about))] };
  return { sub, evidence, quote, turns, noise, distractors: lines.length + guesses.length };
}

export function error(pool, about, random) {
  const { messages, open, fixes, fixNames } = pool.errors;
  const message = fill(pick(messages, random), about);
  const line = fill(pick(pool.tools.run, random), about);
  const trace = `starting\n${message}\n    at ${about.near().path}:${about.n}`;
  const failing = step(pool, 'attempt', about, random, [bash(line, trace, 1)]);
  const { say, words: decisive } = pick(fixes, random);
  const named = { ...about, fix: fill(pick(fixNames, random), about) };
  const sub = pick(['resolved', 'unresolved'], random);
  const solution = fill(say, named);
  const mended = [
    { calls: [edit(about.path, 'start()', `start('${named.fix}')`)] },
    step(pool, 'retry', about, random, [bash(line, 'starting\ndone')]),
    told(pool, solution, random),
  ];
  const left = [told(pool, fill(pick(open, random), about), random)];
  const turns = [failing, ...(sub === 'resolved' ? mended : left)];
  const words = sub === 'resolved' ? [message, ...decisive.map((w) => fill(w, named))] : [message];
  const quote = `${line}: ${message}${sub === 'resolved' ? ` ${solution}` : ''}`;
  return { sub, evidence: { words }, quote, turns, ...errorNoise(pool, about, random) };
}

/** Lines of a log, and a file that is not there: no errors of anything that was tried. */
function errorNoise(pool, about, random) {
  const forms = pool.errors.noise;
  const logged = many(10, (n) => {
    const beside = about.near();
    return fill(forms[n % forms.length], { other: beside.stem, near: beside.path });
  });
  const log = bash(fill(pool.tools.logs, about.near()), logged.join('\n'));
  const missing = { ...read(about.near().path, 'File does not exist.'), exit: 1 };
  const noise = [step(pool, 'logs', about, random, [log]), { calls: [missing] }];
  return { noise, distractors: logged.length + 1 };
}
