// LoCoMo at the level of sessions: which session answers the question? No model anywhere. The rule is that of
// deja-vu's scripts/locomo, so that figures can stand beside its own.
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { atLeastRow } from '../lib/report.mjs';
import { scratch } from '../lib/scratch.mjs';
import { ask, projectOf, readJson } from './ask.mjs';
import { PEER, peersOf } from './peers.mjs';
import { hitAt, mrr, percent, rankOf } from './score.mjs';

const WHERE =
  'LoCoMo is CC BY-NC 4.0 and no part of this repository: get data/locomo10.json of github.com/snap-research/LoCoMo, and say --data FILE';
const CATEGORIES = ['multi-hop', 'temporal', 'open-domain', 'single-hop', 'adversarial'];
const OURS = 'ben10';
/** More matches than any session has turns before the twentieth session's first. */
const MATCHES = 200;
const MONTHS =
  'January February March April May June July August September October November December';

/** @returns rows; one that says where the data is to be had, if it is not there */
export async function locomo(entry, file, isQuick) {
  if (file === undefined || !existsSync(file)) {
    process.stderr.write(`${WHERE}\n`);
    return [{ ...atLeastRow('LoCoMo: hit@1', null, '%', 'no data: --data FILE', 74), pass: null }];
  }
  const asked = [];
  for (const entryOf of readJson(file).slice(0, isQuick ? 1 : undefined))
    asked.push(...(await conversation(entry, entryOf)));
  return rowsOf(asked);
}

async function conversation(entry, { sample_id: id, conversation: told, qa }) {
  const sessions = sessionsOf(told);
  const turns = sessions.flatMap(({ number, turns }) => turns.map((turn) => ({ number, ...turn })));
  const questions = qa
    .map(({ question, evidence, category }) => ({
      question,
      conversation: id,
      category: CATEGORIES[category - 1],
      gold: [...String(evidence).matchAll(/D(\d+):\d+/g)].map(([, number]) => Number(number)),
    }))
    .filter(({ gold }) => gold.length > 0);
  const project = projectOf(entry, sessions.map(transcript));
  const found = ask(
    project,
    questions.map(({ question }) => question),
    MATCHES,
  );
  const peers = await peersOf(turns.map(({ text }) => text));
  return questions.map((one, at) => {
    const rank = (numbers) => rankOf([...new Set(numbers)], (number) => one.gold.includes(number));
    const ranks = { [OURS]: rank(found[at].map(({ session }) => numberOf(session))) };
    for (const [name, search] of Object.entries(peers))
      ranks[name] = rank(search(one.question).map((turn) => turns[turn].number));
    return { ...one, ranks };
  });
}

/** Turns without a text are left out, and still take their minute. */
const sessionsOf = (told) =>
  Object.keys(told)
    .filter((key) => /^session_\d+$/.test(key))
    .map((key) => {
      const start = dateOf(told[`${key}_date_time`]);
      const turns = told[key].map(({ speaker, text }, minute) => ({
        at: start + minute * 60_000,
        text: text && `${speaker}: ${text}`,
      }));
      return { number: Number(key.slice('session_'.length)), turns: turns.filter((t) => t.text) };
    });

/** `1:56 pm on 8 May, 2023`, as UTC. */
function dateOf(text) {
  const [, hour, minute, half, day, month, year] =
    /^(\d+):(\d+) ([ap]m) on (\d+) (\w+), (\d+)$/.exec(text.trim());
  const hours = (Number(hour) % 12) + (half === 'pm' ? 12 : 0);
  return Date.UTC(year, MONTHS.split(' ').indexOf(month), day, hours, minute);
}

const idOf = (number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const numberOf = (session) => Number(session.slice(-12));

function transcript({ number, turns }) {
  const sessionId = idOf(number);
  const uuid = (turn) =>
    `${sessionId.slice(0, 14)}${String(turn).padStart(4, '0')}${sessionId.slice(18)}`;
  const lines = turns.map(({ at, text }, turn) => ({
    parentUuid: turn === 0 ? null : uuid(turn - 1),
    isSidechain: false,
    userType: 'external',
    cwd: '/work/locomo',
    sessionId,
    type: 'user',
    message: { role: 'user', content: text },
    uuid: uuid(turn),
    timestamp: new Date(at).toISOString(),
  }));
  const file = path.join(scratch(), `${sessionId}.jsonl`);
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return file;
}

function rowsOf(asked) {
  const ranksOf = (name, of = asked) => of.map(({ ranks }) => ranks[name]);
  const names = Object.keys(asked[0].ranks);
  const beside = (figure) =>
    names
      .filter((name) => name !== OURS)
      .map((name) => `${name} ${figure(ranksOf(name))}`)
      .join('; ');
  const hit = (k) => (ranks) => percent(hitAt(ranks, k));
  const about = `LoCoMo, ${asked.length} questions`;
  const ahead = (k) =>
    names.includes(PEER)
      ? [
          atLeastRow(
            `${about}: hit@${k} beside the best peer`,
            hitAt(ranksOf(OURS), k) /
              Math.max(...names.filter((n) => n !== OURS).map((n) => hitAt(ranksOf(n), k))),
            'times',
            undefined,
            1,
          ),
        ]
      : [];
  const parts = (key) =>
    [...new Set(asked.map((one) => one[key]))].map((value) => {
      const of = asked.filter((one) => one[key] === value);
      const [first, five] = [1, 5].map((k) => hitAt(ranksOf(OURS, of), k));
      return atLeastRow(
        `LoCoMo, ${value}, ${of.length}: hit@1`,
        first,
        '%',
        `hit@5 ${percent(five)}`,
      );
    });
  return [
    atLeastRow(`${about}: hit@1`, hitAt(ranksOf(OURS), 1), '%', beside(hit(1)), 74),
    atLeastRow(`${about}: hit@5`, hitAt(ranksOf(OURS), 5), '%', beside(hit(5)), 93),
    atLeastRow(
      `${about}: MRR`,
      100 * mrr(ranksOf(OURS)),
      '%',
      beside((ranks) => percent(100 * mrr(ranks))),
    ),
    ...ahead(1),
    ...ahead(5),
    ...parts('category'),
    ...parts('conversation'),
  ];
}
