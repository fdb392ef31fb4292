// Facts that show in what is done: files, commands with their results, measured numbers, errors; with what looks like them.
import { prompt, read } from './said.mjs';
import { fill, measured, pick } from './world.mjs';

export const bash = (command, output, exit = 0) => ({
  name: 'Bash',
  input: { command, description: 'Run it' },
  output,
  exit,
});
/** Units of which there are no fractions. */
const COUNTED = new Set(['rows', 'jobs', 'req/s']);
const many = (count, make) => Array.from({ length: count }, (_, n) => make(n));

export function path(pool, about, random) {
  const sub = pick(['user', 'agent', 'edited'], random);
  const sentence = fill(pick(pool.paths[sub], random), about);
  const edit = {
    name: 'Edit',
    input: {
      file_path: about.path,
      old_string: 'return null',
      new_string: `return ${about.name}(value)`,
    },
    output: `The file ${about.path} has been updated.`,
  };
  const turn = {
    user: { prompt: prompt(pool, sentence, about, random), say: 'I will look there.' },
    agent: { say: sentence, calls: [read(about.path, `export function ${about.name}() {}`)] },
    edited: { say: sentence, calls: [edit] },
  }[sub];
  const near = many(10, () => about.near().path);
  const noise = [
    {
      say: 'What is there?',
      calls: [
        {
          name: 'Glob',
          input: { pattern: `**/*.${about.ending}` },
          output: near.slice(0, 8).join('\n'),
        },
      ],
    },
    ...near.slice(8).map((file) => ({ calls: [read(file, 'export {}')] })),
  ];
  return { sub, evidence: { path: about.path }, turns: [turn], noise, distractors: 10 };
}

export function command(pool, about, random) {
  const { lines, user, agent, after, trivial, ...outputs } = pool.commands;
  const line = fill(pick(lines, random), about);
  const sub = random() < 0.6 ? 'passed' : 'failed';
  const exit = sub === 'passed' ? 0 : pick([1, 2, 101], random);
  const values = { ...about, command: line };
  const run = bash(line, fill(pick(outputs[sub], random), values), exit);
  const byUser = random() < 0.5;
  const sentence = fill(pick(byUser ? user : agent, random), values);
  const turns = [
    byUser
      ? { prompt: prompt(pool, sentence, about, random), calls: [run] }
      : { say: sentence, calls: [run] },
    { say: fill(pick(after[sub], random), about) },
  ];
  const idle = trivial.map((form) => {
    const beside = about.near();
    return bash(fill(form, { ...beside, near: beside.path }), beside.path);
  });
  const noise = many(4, (n) => ({ calls: idle.slice(n * 3, n * 3 + 3) }));
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
  const byUser = random() < 0.3;
  const measure = bash(
    `scripts/measure ${about.near().stem}`,
    [...lines.slice(0, 4), `${values.what}: ${value} ${unit}`].join('\n'),
  );
  const turns = byUser
    ? [
        {
          prompt: prompt(pool, fill(pick(user, random), values), about, random),
          say: 'Good to know.',
        },
      ]
    : [{ say: 'Measuring.', calls: [measure] }, { say: fill(pick(agent, random), values) }];
  const noise = [
    {
      say: 'One more run, of something else.',
      calls: [bash(`scripts/measure ${about.near().stem}`, lines.join('\n'))],
    },
    ...guesses.map((form) => ({ say: fill(form, other()) })),
  ];
  const evidence = { words: [value, ...words.map((word) => fill(word, about))] };
  return {
    sub: byUser ? 'user' : 'agent',
    evidence,
    turns,
    noise,
    distractors: metrics.length + guesses.length,
  };
}

export function error(pool, about, random) {
  const { messages, open, fixes, fixNames, noise: forms } = pool.errors;
  const message = fill(pick(messages, random), about);
  const line = `scripts/run ${about.stem}`;
  const failing = {
    say: 'Trying it.',
    calls: [bash(line, `starting\n${message}\n    at ${about.near().path}:${about.n}`, 1)],
  };
  const fix = pick(fixes, random);
  const named = { ...about, fix: fill(pick(fixNames, random), about) };
  const solved = random() < 0.5;
  const turns = solved
    ? [
        failing,
        { say: 'That should be it.', calls: [bash(line, 'starting\ndone')] },
        { say: fill(fix.say, named) },
      ]
    : [failing, { say: fill(pick(open, random), about) }];
  const words = solved ? [message, ...fix.words.map((word) => fill(word, named))] : [message];
  const logged = many(10, (n) => {
    const beside = about.near();
    return fill(forms[n % forms.length], { other: beside.stem, near: beside.path });
  });
  const missing = about.near().path;
  const noise = [
    {
      say: 'The log of last night.',
      calls: [bash(`tail -20 logs/${about.near().stem}.log`, logged.join('\n'))],
    },
    {
      calls: [
        { name: 'Read', input: { file_path: missing }, output: 'File does not exist.', exit: 1 },
      ],
    },
  ];
  return {
    sub: solved ? 'resolved' : 'unresolved',
    evidence: { words },
    turns,
    noise,
    distractors: 11,
  };
}
