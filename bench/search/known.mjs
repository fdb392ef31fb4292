// Known items in recorded sessions: is what somebody half remembers found again? Queries are made from the journal itself.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fixtures } from '../lib/program.mjs';
import { atLeastRow, flags } from '../lib/report.mjs';
import { ask, projectOf } from './ask.mjs';
import { factsOf } from './facts.mjs';
import { itemsOf } from './items.mjs';
import { PEER, peersOf } from './peers.mjs';
import { hitAt, percent, rankOf } from './score.mjs';

const OURS = 'ben10';
const MATCHES = 20;
/** Sidechains, trimmed samples and hooks' inputs are no sessions of their own. */
const RECORDED = [
  'claude-v1.0.17-long-edit-session.jsonl',
  'claude-v1.0.108-sidechain-tasks.jsonl',
  'claude-v1.0.98-short.jsonl',
  'claude-2.1.329-real-todo-app/transcript.jsonl',
  'claude-2.1.39-auto-compact/258c7280-ae70-4798-800f-63464d01a85d.jsonl',
];

/**
 * @param folders whose folders are projects, each with transcripts; the repository's own recordings if there are none.
 * Projects are told into two halves by a digest of their names: ranking is tuned on one, and the other tells what it is worth.
 */
export async function known(entry, folders = []) {
  if (folders.length === 0) {
    const found = await project(
      entry,
      RECORDED.map((name) => path.join(fixtures, name)),
    );
    return rowsOf('the fixtures', found);
  }
  const halves = { 'tuning half': [], 'held-out half': [] };
  for (const folder of folders)
    for (const name of readdirSync(folder).sort()) {
      const files = transcriptsIn(path.join(folder, name));
      const half = `${halfOf(name)} half`;
      if (files.length > 0 && (flags.half ?? half).startsWith(half.split(' ')[0]))
        halves[half].push(...(await project(entry, files, name)));
    }
  return Object.entries(halves).flatMap(([half, found]) =>
    found.length === 0 ? [] : rowsOf(half, found),
  );
}

function transcriptsIn(folder) {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
    return names.sort().map((name) => path.join(folder, name));
  } catch {
    return []; // a file
  }
}

async function project(entry, files, name = 'fixtures') {
  const made = projectOf(entry, files);
  const facts = factsOf(made);
  const items = itemsOf(facts);
  const found = ask(
    made,
    items.map(({ query }) => query),
    MATCHES,
  );
  const peers = await peersOf(facts.map(({ text }) => text));
  process.stderr.write(`${name}: ${facts.length} facts, ${items.length} queries\n`);
  return items.map(({ kind, query, fact }, at) => {
    const ranks = { [OURS]: rankOf(found[at], ({ seq }) => fact.seqs.includes(seq), MATCHES) };
    for (const [peer, search] of Object.entries(peers))
      ranks[peer] = rankOf(search(query), (place) => facts[place] === fact, MATCHES);
    if (flags.misses && ranks[OURS] !== 1) {
      const best = found[at].slice(0, 3).map((m) => `@${m.seq} ${m.kind} ${m.title}`);
      const miss = { name, kind, rank: ranks[OURS], peer: ranks[PEER], query, seqs: fact.seqs };
      process.stderr.write(`${JSON.stringify({ ...miss, text: fact.text.slice(0, 200), best })}\n`);
    }
    return { kind, ranks };
  });
}

function rowsOf(corpus, found) {
  const names = Object.keys(found[0].ranks);
  const hit = (name, k, of = found) =>
    hitAt(
      of.map(({ ranks }) => ranks[name]),
      k,
    );
  const about = `known items, ${corpus}`;
  const beside = (k, of) =>
    names
      .filter((name) => name !== OURS)
      .map((name) => `${name} ${percent(hit(name, k, of))}`)
      .join('; ');
  const against = names.includes(PEER) ? hit(OURS, 1) / hit(PEER, 1) : null;
  return [
    atLeastRow(`${about}, ${found.length}: hit@1`, hit(OURS, 1), '%', beside(1)),
    atLeastRow(`${about}: hit@1 / ${PEER}`, against, 'times', undefined, 1.1),
    atLeastRow(`${about}: hit@5`, hit(OURS, 5), '%', beside(5), 95),
    ...[...new Set(found.map(({ kind }) => kind))].map((kind) => {
      const of = found.filter((one) => one.kind === kind);
      const other = names.includes(PEER)
        ? `; ${PEER} ${percent(hit(PEER, 1, of))} and ${percent(hit(PEER, 5, of))}`
        : '';
      const five = `hit@5 ${percent(hit(OURS, 5, of))}${other}`;
      return atLeastRow(`${about}, ${kind}, ${of.length}: hit@1`, hit(OURS, 1, of), '%', five);
    }),
  ];
}
