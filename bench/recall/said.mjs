// Facts that somebody says: rules, corrections, decisions; with what looks like them and is none.
import { fill, pick, whole } from './world.mjs';

const ACKNOWLEDGED = ['Understood.', 'Okay.', 'Will do.', 'Noted.', 'Right.'];

/** How one author writes: what comes first and last, and in which manner. */
function written(author, sentences, random) {
  const parts = [pick(author.before, random), ...sentences, pick(author.after, random)].filter(
    Boolean,
  );
  const ended = parts.map((part) => (/[.!?:]$/.test(part) ? part : `${part}.`));
  const upper = ended.map((part) =>
    /^[a-z]/.test(part) && author.style === 'plain' ? part[0].toUpperCase() + part.slice(1) : part,
  );
  if (author.style === 'list')
    return upper.map((part, n) => (n === 0 ? part : `- ${part}`)).join('\n');
  if (author.style === 'lower') return upper.map(small).join(', ');
  if (author.style === 'loud') return upper.map((part) => part.replace(/\.$/, '!')).join(' ');
  return upper.join(' ');
}

/** Names are written as they are, also by who writes everything small. */
const small = (part) =>
  part.replace(/^[A-Z](?=[a-z]* )/, (first) => first.toLowerCase()).replace(/\.$/, '');

/** A prompt with a sentence among requests for other things. */
export function prompt(pool, sentence, about, random) {
  const author = pick(pool.authors, random);
  const requests = Array.from({ length: whole(0, 2, random) }, () =>
    fill(pick(pool.requests, random), about.near()),
  );
  const at = whole(0, requests.length, random);
  return written(author, [...requests.slice(0, at), sentence, ...requests.slice(at)], random);
}

export const read = (file, output) => ({ name: 'Read', input: { file_path: file }, output, file });

function filledRule(pool, about, random) {
  const rule = pick(pool.rules, random);
  const words = rule.words.map((word) => fill(word, about));
  return { text: fill(rule.neg ?? rule.pos, about), form: rule.neg ? 'neg' : 'pos', words };
}

export function rule(pool, about, random) {
  const { text, form, words } = filledRule(pool, about, random);
  const said = fill(pick(pool.ruleForms[form], random), { rule: text });
  const reason = pick(pool.reasons, random);
  const sentence = reason === '' ? said : `${said}, ${reason}`;
  const turn = { prompt: prompt(pool, sentence, about, random), say: pick(ACKNOWLEDGED, random) };
  const other = () => ({ rule: filledRule(pool, about.near(), random).text });
  const vendored = Array.from({ length: 6 }, () =>
    fill(pick(pool.ruleNoise.vendored, random), other()),
  );
  const suggested = [0, 1].map((n) => fill(pool.ruleNoise.suggested[n], other()));
  const once = [0, 1].map((n) => fill(pool.ruleNoise.once[n], about.near()));
  const file = `vendor/${about.stem}/CONTRIBUTING.md`;
  const noise = [
    {
      say: 'Looking at what the package says of itself.',
      calls: [read(file, vendored.join('\n'))],
    },
    ...suggested.map((say) => ({ say })),
    ...once.map((sentence) => ({
      prompt: prompt(pool, sentence, about, random),
      say: pick(ACKNOWLEDGED, random),
    })),
  ];
  return { evidence: { words }, turns: [turn], noise, distractors: 10 };
}

export function correction(pool, about, random) {
  const { text, words } = pick(pool.corrections, random);
  const { right, wrong, path, topic } = about;
  const edit = (from, to) => ({
    name: 'Edit',
    input: { file_path: path, old_string: `use(${from})`, new_string: `use(${to})` },
    output: `The file ${path} has been updated.`,
  });
  const sentence = fill(text, about);
  const turns = [
    { say: `Filling in the name for ${topic}.`, calls: [edit('null', wrong)] },
    {
      prompt: prompt(pool, sentence, about, random),
      say: pick(ACKNOWLEDGED, random),
      calls: [edit(wrong, right)],
    },
  ];
  const list = about.others(8);
  const agreed = about
    .others(10)
    .slice(8)
    .map((other, n) => fill(pool.agreements[n], { other, topic: about.near().topic }));
  const noise = [
    {
      say: 'Which names are there?',
      calls: [
        {
          name: 'Bash',
          input: { command: `scripts/names ${about.near().stem}`, description: 'List names' },
          output: list.join('\n'),
          exit: 0,
        },
      ],
    },
    ...agreed.map((one) => ({
      prompt: prompt(pool, one, about, random),
      say: pick(ACKNOWLEDGED, random),
    })),
  ];
  return {
    evidence: { words: words.map((word) => fill(word, about)) },
    turns,
    noise,
    distractors: 10,
  };
}

export function decision(pool, about, random) {
  const { picks, others, why, agent, user, noise: forms } = pool.decisions;
  const n = whole(0, picks.length - 1, random);
  const reason = pick(why, random);
  const values = { ...about, pick: picks[n], over: others[n], why: fill(reason.text, about) };
  const byUser = random() < 0.5;
  const sentence = fill(pick(byUser ? user : agent, random), values);
  const turn = byUser
    ? { prompt: prompt(pool, sentence, about, random), say: pick(ACKNOWLEDGED, random) }
    : { say: sentence, calls: [read(about.near().path, 'export {}')] };
  const words = [about.topic, picks[n], ...reason.words.map((word) => fill(word, about))];
  const idle = Array.from({ length: 10 }, (_, k) => {
    const alt = k % 2 === 0 ? others[(n + k + 1) % others.length] : picks[(n + k) % picks.length];
    return fill(forms[k % forms.length], { alt, topic: k < 5 ? about.topic : about.near().topic });
  });
  const noise = [idle.slice(0, 4), idle.slice(4, 7), idle.slice(7)].map((some) => ({
    say: some.join(' '),
    calls: [read(about.near().path, 'export {}')],
  }));
  return {
    sub: byUser ? 'user' : 'agent',
    evidence: { words },
    turns: [turn],
    noise,
    distractors: 10,
  };
}
