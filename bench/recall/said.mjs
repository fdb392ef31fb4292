// Facts that somebody says: rules, corrections, decisions; with what looks like them and is none.
import { fill, pick, whole } from './world.mjs';

/** Names are written as they are, also by who writes everything small. */
const small = (part) =>
  part.replace(/^[A-Z](?=[a-z]* )/, (first) => first.toLowerCase()).replace(/\.$/, '');
const great = (part) => (/^[a-z]+ /.test(part) ? part[0].toUpperCase() + part.slice(1) : part);

/** How one author writes: what comes first and last, and in which manner. */
function written(author, sentences, random) {
  const parts = [pick(author.before, random), ...sentences, pick(author.after, random)];
  const ended = parts.filter(Boolean).map((part) => (/[.!?:]$/.test(part) ? part : `${part}.`));
  if (author.style === 'lower') return ended.map(small).join(', ');
  if (author.style === 'list')
    return ended.map((part, n) => (n === 0 ? part : `- ${part}`)).join('\n');
  if (author.style === 'loud') return ended.map((part) => part.replace(/\.$/, '!')).join(' ');
  return ended.map(great).join(' ');
}

/** So many prompts end with something that was copied from a terminal. */
const PASTED = 0.12;

const pasted = (pool, about, random) =>
  many(whole(3, 7, random), () => {
    const { stem, path } = about.near();
    return fill(pick(pool.errors.noise, random), { other: stem, near: path });
  }).join('\n');

/** A turn that starts with a prompt in which a sentence stands among requests for other things. */
export function asked(pool, sentence, about, random, more = {}) {
  const author = pick(pool.authors, random);
  const request = () => fill(pick(pool.requests, random), about.near());
  const requests = Array.from({ length: whole(0, 2, random) }, request);
  const at = whole(0, requests.length, random);
  const sentences = [...requests.slice(0, at), sentence, ...requests.slice(at)];
  const text = written(author, sentences, random);
  const prompt = random() < PASTED ? `${text}\n\n${pasted(pool, about, random)}` : text;
  return { prompt, say: pick(pool.steps.acknowledge, random), ...more };
}

/** A turn in which the agent says something, in one piece with what it says beside it. */
export function told(pool, sentence, random, calls = []) {
  const say = pick(pool.agent.before, random) + sentence + pick(pool.agent.after, random);
  return { say, calls };
}

/** A turn in which the agent says only what it does. */
export const step = (pool, name, about, random, calls) => ({
  say: fill(pick(pool.steps[name], random), about),
  calls,
});

export const read = (file, output) => ({ name: 'Read', input: { file_path: file }, output });
export const bash = (command, output, exit = 0) => ({
  name: 'Bash',
  input: { command, description: 'Run it' },
  output,
  exit,
});
export const edit = (file, from, to) => ({
  name: 'Edit',
  input: { file_path: file, old_string: from, new_string: to },
  output: `The file ${file} has been updated.`,
});
export const many = (count, make) => Array.from({ length: count }, (_, n) => make(n));
const emptyFile = (about) => read(about.near().path, 'export {}');
const filledWords = (words, about) => words.map((word) => fill(word, about));

function filledRule(pool, about, random) {
  const { neg, pos, words } = pick(pool.rules, random);
  const form = neg === undefined ? 'pos' : 'neg';
  return { text: fill(neg ?? pos, about), form, words: filledWords(words, about) };
}

export function rule(pool, about, random) {
  const { text, form, words } = filledRule(pool, about, random);
  const said = fill(pick(pool.ruleForms[form], random), { rule: text });
  const reason = pick(pool.reasons, random);
  const sentence = reason === '' ? said : `${said}, ${reason}`;
  const { suggested, once, vendored } = pool.ruleNoise;
  const like = (forms) => {
    const one = filledRule(pool, about.near(), random);
    return fill(pick(forms[one.form], random), { rule: one.text });
  };
  const guide = many(6, () => like(vendored));
  const file = `vendor/${about.stem}/CONTRIBUTING.md`;
  const noise = [
    step(pool, 'vendored', about, random, [read(file, guide.join('\n'))]),
    ...many(2, () => told(pool, like(suggested), random)),
    ...once.map((form) => asked(pool, fill(form, about.near()), about, random)),
  ];
  const turns = [asked(pool, sentence, about, random)];
  return { evidence: { words }, quote: sentence, turns, noise, distractors: 10 };
}

export function correction(pool, about, random) {
  const { text, words } = pick(pool.corrections, random);
  const { right, wrong, path } = about;
  const quote = fill(text, about);
  const use = (from, to) => edit(path, `use(${from})`, `use(${to})`);
  const turns = [
    step(pool, 'name', about, random, [use('null', wrong)]),
    asked(pool, quote, about, random, { calls: [use(wrong, right)] }),
  ];
  const others = about.others(10);
  const list = bash(fill(pool.tools.names, about.near()), others.slice(0, 8).join('\n'));
  const noise = [
    step(pool, 'list', about, random, [list]),
    ...pool.agreements.map((form, n) => {
      const sentence = fill(form, { other: others[8 + n], topic: about.near().topic });
      return asked(pool, sentence, about, random);
    }),
  ];
  return { evidence: { words: filledWords(words, about) }, quote, turns, noise, distractors: 10 };
}

/** How a decision is said; what is said outright more often. The second list where the pool has sentences for it. */
const OUTRIGHT = ['user', 'agent'];
const WAYS = [...OUTRIGHT, ...OUTRIGHT, 'exchange', 'recorded'];

/** A choice over two messages: one asks, the other answers, and means what stands in the question. */
function exchanged(pool, values, random) {
  const exchange = pick(pool.decisions.exchanges, random);
  const said = Object.entries(exchange).map(([who, form]) => [who, fill(form, values)]);
  const turnOf = {
    user: (text) => ({ prompt: text, say: pick(pool.steps.acknowledge, random) }),
    agent: (text) => ({ say: text }),
  };
  const [[first, asking], [second, answer]] = said;
  // A user who asks is answered in the same turn.
  const turns =
    first === 'user'
      ? [{ prompt: asking, say: answer }]
      : [turnOf[first](asking), turnOf[second](answer)];
  return { quote: `${asking} ${answer}`, turns };
}

/** A choice that is written down: in a commit's message, a record of it, or a list of what to do. */
function recorded(pool, values, random) {
  const { commits, records, todos } = pool.decisions;
  const where = pick(['commit', 'record', 'todo'], random);
  const quote = fill(
    pick({ commit: commits, record: records, todo: todos }[where], random),
    values,
  );
  const call = {
    commit: () => bash(`git commit -m "${quote}"`, `[main ${values.n}abc] ${quote.split('\n')[0]}`),
    record: () => ({
      name: 'Write',
      input: { file_path: `docs/adr/${values.stem}.md`, content: quote },
      output: 'File created.',
    }),
    todo: () => ({
      name: 'TodoWrite',
      input: { todos: [{ content: quote, status: 'pending', activeForm: quote }] },
      output: 'Todos have been modified.',
    }),
  }[where]();
  return { sub: where, quote, turns: [{ calls: [call] }] };
}

function outright(pool, values, sub, about, random) {
  const quote = fill(pick(pool.decisions[sub], random), values);
  const turn =
    sub === 'user'
      ? asked(pool, quote, about, random)
      : told(pool, quote, random, [emptyFile(about)]);
  return { quote, turns: [turn] };
}

export function decision(pool, about, random) {
  const { picks, others, why, noise: forms, exchanges } = pool.decisions;
  const n = whole(0, picks.length - 1, random);
  const reason = pick(why, random);
  const values = { ...about, pick: picks[n], over: others[n], why: fill(reason.text, about) };
  const sub = pick(exchanges === undefined ? OUTRIGHT : WAYS, random);
  const own = OUTRIGHT.includes(sub)
    ? outright(pool, values, sub, about, random)
    : { exchange: exchanged, recorded }[sub](pool, values, random);
  const words = [about.topic, picks[n], ...filledWords(reason.words, about)];
  const idle = many(10, (k) => {
    const from = k % 2 === 0 ? others : picks;
    const topic = k < 5 ? about.topic : about.near().topic;
    return fill(forms[k % forms.length], { alt: from[(n + 1 + k) % from.length], topic });
  });
  const noise = [idle.slice(0, 4), idle.slice(4, 7), idle.slice(7)].map((some) =>
    told(pool, some.join(' '), random, [emptyFile(about)]),
  );
  return { sub, evidence: { words }, ...own, noise, distractors: idle.length };
}
