import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { scratch } from '../lib/scratch.mjs';
import { copyOf, git, setTo } from './program.mjs';
import { gitAlone, Tally, TOP, turnsAlone } from './ranked.mjs';

const NEXT_TURNS = 10;
/** Of which the first that are work count, as for the peers. */
const ALL = 200;
/** Of others' tools, never a part of the work. */
const NOT_WORK = /^\.(?:entire|beads|claude)\//;

/**
 * The sessions of a project, one after the other, as its journal would have had them, beside its repository as it was when each
 * began: after each turn, the pack is what the session opened so far. Wanted is what its next turns open, and existed before.
 * @param repository a git directory; without one git knows nothing
 */
export async function inSessions(program, folder, repository) {
  const tally = new Tally();
  const dir = (repository && copyOf(repository)) ?? scratch();
  const project = program.openProject(dir, { lockBudgetMs: 5000, lock: program.lock });
  for (const session of sessionsIn(folder)) {
    const commit = repository === undefined ? undefined : commitBefore(dir, session);
    if (commit === undefined) continue;
    const there = setTo(dir, commit);
    const file = path.join(scratch(), 's.jsonl');
    writeFileSync(file, movedTo(dir, session, there));
    const { ports, reader, states, recorder } = project;
    program.importTranscripts({ ports, reader, states, recorder, paths: [file] });
    const turns = program.turnsOf(project);
    const own = turns.filter((turn) => turn.session === session.id);
    const commits = await program.commitsOf(dir);
    for (let at = 1; at < own.length; at += 1) {
      const is = (name) => there.has(name) && !NOT_WORK.test(name);
      const pack = new Set(own.slice(0, at).flatMap(filesOf).filter(is));
      const next = new Set(own.slice(at, at + NEXT_TURNS).flatMap(filesOf));
      const wanted = [...next].filter((name) => is(name) && !pack.has(name));
      if (pack.size === 0 || wanted.length === 0) continue;
      const upto = firstOf(own[at]) - 1;
      const ours = await program.suggest(project, pack, { limit: ALL, upto });
      const before = turns.filter((turn) => firstOf(turn) <= upto);
      tally.add(wanted, {
        ours: ours
          .map((one) => one.file)
          .filter(is)
          .slice(0, TOP),
        ...gitAlone(commits, pack, is),
        'turns alone': turnsAlone(before, pack, is),
      });
    }
  }
  project.close();
  return tally;
}

const filesOf = ({ read, edited }) => [...read.keys(), ...edited.keys()];
const firstOf = ({ read, edited }) => Math.min(...read.values(), ...edited.values());

function sessionsIn(folder) {
  const found = readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => {
      const text = readFileSync(path.join(folder, name), 'utf8');
      const records = text.split('\n').flatMap(parsed);
      const first = (key) => records.find((record) => record[key])?.[key];
      return {
        text,
        records,
        id: first('sessionId'),
        at: first('timestamp'),
        branch: first('gitBranch'),
      };
    });
  return found.filter(({ id, at }) => id && at).sort((a, b) => (a.at < b.at ? -1 : 1));
}

function parsed(line) {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}

/** The newest commit of its branch, or of the main one, when it began. */
function commitBefore(dir, { at, branch }) {
  for (const ref of [`origin/${branch}`, 'HEAD']) {
    try {
      const commit = git(dir, 'rev-list', '-1', `--before=${at}`, ref, '--');
      if (commit !== '') return commit;
    } catch {
      // The branch is gone.
    }
  }
  return undefined;
}

/** Its paths as if it had run here: its project is the folder in which most of the files that it named are there. */
function movedTo(dir, { text, records }, there) {
  const named = records.flatMap(({ message }) =>
    Array.isArray(message?.content)
      ? message.content.flatMap((block) => block.input?.file_path ?? [])
      : [],
  );
  const tops = new Set();
  for (const { cwd } of records)
    for (let top = cwd ?? '/'; top !== path.dirname(top); top = path.dirname(top)) tops.add(top);
  const fits = (top) =>
    named.filter((file) => file.startsWith(`${top}/`) && there.has(file.slice(top.length + 1)))
      .length;
  const [best] = [...tops].sort((a, b) => fits(b) - fits(a) || b.length - a.length);
  return best === undefined || fits(best) === 0 ? text : text.replaceAll(best, dir);
}
