import type { Named } from './named.ts';
import type { Turn } from './turns.ts';

/** What is known of how files belong together. */
export interface Known {
  /** Oldest first. */
  turns: readonly Turn[];
  /** Newest first. */
  named: readonly Named[];
  /** The files of each, newest first. */
  commits: readonly (readonly string[])[];
  /** What each file imports. */
  imports: ReadonlyMap<string, ReadonlySet<string>>;
  /** In how many sessions a file was opened soon after the pack was given, which had it not. */
  missed: ReadonlyMap<string, number>;
  /** All files that may be suggested. */
  files: ReadonlySet<string>;
}

/** Why a file is suggested; what is 0 says nothing. */
export interface Why {
  /** The file of the pack beside which it was edited most, in how many of the turns that edited that one, and its newest edits there. */
  edited?: { with: string; turns: number; of: number; seqs: number[] };
  /** Turns that read it before they edited a file of the pack. */
  readBefore: number;
  /** Turns that opened it, and files of the pack. */
  opened: number;
  /** Of the newest commits those that changed it, where they changed the pack, too. */
  commitsLately: number;
  commits: number;
  importedBy: number;
  imports: number;
  /** Files of the pack in its folder. */
  beside: number;
  missed: number;
  /** Of the newest prompts, messages, calls and answers, where files of the pack were opened, those that name it. */
  named: number;
}

export interface Ranked {
  file: string;
  /** 0 to 1. */
  score: number;
  why: Why;
}

/** The newest edits that are told. */
const SEQS_MAX = 20;
/** A commit so much older tells half of what is worked on now; of twice as many it is said how many there were. */
const LATELY = 15;
/** The same of prompts, messages, calls and answers. */
const NAMED_LATELY = 6;

/**
 * How much each kind of evidence can give, and the amount that gives half of it. Set on recorded sessions and commits of some
 * projects, and measured on others: `bench/packs-suggest.mjs`.
 */
const WEIGHTS = {
  // It was needed and missing: nothing tells more.
  missed: { most: 0.8, half: 0.5 },
  // What is looked for or spoken of beside the pack is opened next.
  named: { most: 0.8, half: 0.3 },
  // What people changed together, also before there was a journal.
  commits: { most: 0.8, half: 2 },
  turns: { most: 0.4, half: 0.2 },
  // While the pack is worked on, what else is worked on tells of the same task.
  commitsLately: { most: 0.7, half: 1 },
  // What a file needs, and its callers and tests.
  imports: { most: 0.4, half: 0.5 },
  // Weak, but there for new files, too.
  beside: { most: 0.2, half: 1 },
} as const;
type Kind = keyof typeof WEIGHTS;

const none = (): Why => ({
  readBefore: 0,
  opened: 0,
  commitsLately: 0,
  commits: 0,
  importedBy: 0,
  imports: 0,
  beside: 0,
  missed: 0,
  named: 0,
});

/** The files that belong to those of a pack, best first; equal ones by name. It depends on nothing but what is given. */
export function ranked(known: Known, pack: ReadonlySet<string>): Ranked[] {
  const amounts = new Map<string, Map<Kind, number>>();
  const whys = new Map<string, Why>();
  const isOffered = (file: string): boolean => known.files.has(file) && !pack.has(file);
  const add = (file: string, kind: Kind, amount: number, tell: (why: Why) => void): void => {
    if (!isOffered(file)) return;
    const own = amounts.get(file) ?? new Map<Kind, number>();
    own.set(kind, (own.get(kind) ?? 0) + amount);
    amounts.set(file, own);
    const why = whys.get(file) ?? none();
    whys.set(file, why);
    tell(why);
  };
  fromTurns(known, pack, add);
  fromNamed(known, pack, add);
  fromCommits(known, pack, add);
  fromImports(known, pack, add);
  fromFolders(known, pack, add);
  for (const [file, sessions] of known.missed)
    add(file, 'missed', sessions, (why) => {
      why.missed = sessions;
    });
  tellEdits(known, pack, whys);
  return [...amounts]
    .map(([file, own]) => ({ file, score: together(own), why: whys.get(file)! }))
    .sort((a, b) => b.score - a.score || (a.file < b.file ? -1 : 1));
}

/** As chances of which one is enough. */
function together(amounts: ReadonlyMap<Kind, number>): number {
  let without = 1;
  for (const [kind, amount] of amounts) {
    const { most, half } = WEIGHTS[kind];
    without *= 1 - (most * amount) / (amount + half);
  }
  return 1 - without;
}

type Add = (file: string, kind: Kind, amount: number, tell: (why: Why) => void) => void;

/** How much two sets have in common, 0 to 1: what opens or changes much says little of each file. */
const likeness = (common: number, one: number, other: number): number =>
  common / Math.sqrt(one * other);

const countIn = (pack: ReadonlySet<string>, files: Iterable<string>): number =>
  [...files].filter((file) => pack.has(file)).length;

const openedIn = ({ read, edited }: Turn): Set<string> =>
  new Set([...read.keys(), ...edited.keys()]);

function fromTurns({ turns }: Known, pack: ReadonlySet<string>, add: Add): void {
  for (const turn of turns) {
    const all = openedIn(turn);
    const ours = countIn(pack, all);
    if (ours === 0) continue;
    const edits = [...turn.edited].filter(([file]) => pack.has(file)).map(([, seq]) => seq);
    const lastEdit = Math.max(...edits);
    for (const file of all)
      add(file, 'turns', likeness(ours, pack.size, all.size), (why) => {
        why.opened += 1;
        const isEdited = turn.edited.has(file) && edits.length > 0;
        if (!isEdited && (turn.read.get(file) ?? lastEdit) < lastEdit) why.readBefore += 1;
      });
  }
}

/** By how much of the pack their session opened; a long list says little of each file. */
function fromNamed({ turns, named }: Known, pack: ReadonlySet<string>, add: Add): void {
  const opened = new Map<string | null, Set<string>>();
  for (const turn of turns) {
    const own = opened.get(turn.session) ?? new Set();
    for (const file of openedIn(turn)) if (pack.has(file)) own.add(file);
    opened.set(turn.session, own);
  }
  const ours = named.filter(({ session }) => (opened.get(session)?.size ?? 0) > 0);
  for (const [age, { session, files }] of ours.entries()) {
    const share = opened.get(session)!.size / pack.size;
    for (const file of files)
      add(file, 'named', (share * 0.5 ** (age / NAMED_LATELY)) / Math.sqrt(files.size), (why) => {
        if (age < 2 * NAMED_LATELY) why.named += 1;
      });
  }
}

/** What is worked on now tells of the pack as far as the newest commits changed it: by the share of those that did. */
function fromCommits({ commits }: Known, pack: ReadonlySet<string>, add: Add): void {
  let [sum, sumOfOurs] = [0, 0];
  const all = commits.map((files, age) => {
    const ours = countIn(pack, files);
    const weight = 0.5 ** (age / LATELY);
    sum += weight;
    if (ours > 0) sumOfOurs += weight;
    return { files, age, ours, weight };
  });
  if (sumOfOurs === 0) return;
  const share = Math.sqrt(sumOfOurs / sum);
  for (const { files, age, ours, weight } of all)
    for (const file of files) {
      add(file, 'commitsLately', weight * share, (why) => {
        if (age < 2 * LATELY) why.commitsLately += 1;
      });
      if (ours === 0) continue;
      add(file, 'commits', likeness(ours, pack.size, files.length), (why) => {
        why.commits += 1;
      });
    }
}

/** What everything imports, and what is imported by everything, says little. */
function fromImports({ imports }: Known, pack: ReadonlySet<string>, add: Add): void {
  const importers = new Map<string, number>();
  for (const meant of imports.values())
    for (const one of meant) importers.set(one, (importers.get(one) ?? 0) + 1);
  for (const [file, meant] of imports)
    for (const one of meant) {
      const amount = 1 / Math.sqrt(importers.get(one)! * pack.size);
      if (pack.has(file))
        add(one, 'imports', amount, (why) => {
          why.importedBy += 1;
        });
      if (pack.has(one))
        add(file, 'imports', amount, (why) => {
          why.imports += 1;
        });
    }
}

const folderOf = (file: string): string => file.slice(0, file.lastIndexOf('/') + 1);

function fromFolders({ files }: Known, pack: ReadonlySet<string>, add: Add): void {
  const all = new Map<string, number>();
  for (const file of files) all.set(folderOf(file), (all.get(folderOf(file)) ?? 0) + 1);
  const ours = new Map<string, number>();
  for (const file of pack) ours.set(folderOf(file), (ours.get(folderOf(file)) ?? 0) + 1);
  for (const file of files) {
    const beside = ours.get(folderOf(file)) ?? 0;
    if (beside === 0) continue;
    add(file, 'beside', likeness(beside, pack.size, all.get(folderOf(file))!), (why) => {
      why.beside = beside;
    });
  }
}

/** Only for what has a reason: the pairs of all files would be many. */
function tellEdits(
  { turns }: Known,
  pack: ReadonlySet<string>,
  whys: ReadonlyMap<string, Why>,
): void {
  const of = new Map<string, number>();
  const pairs = new Map<string, Map<string, number[]>>();
  for (const { edited } of turns)
    for (const ours of edited.keys()) {
      if (!pack.has(ours)) continue;
      of.set(ours, (of.get(ours) ?? 0) + 1);
      for (const [file, seq] of edited) {
        if (!whys.has(file)) continue;
        const own = pairs.get(file) ?? new Map<string, number[]>();
        own.set(ours, [...(own.get(ours) ?? []), seq]);
        pairs.set(file, own);
      }
    }
  for (const [file, own] of pairs) {
    const [first, ...rest] = own;
    const [other, seqs] = rest.reduce(
      (best, one) => (one[1].length > best[1].length ? one : best),
      first!,
    );
    whys.get(file)!.edited = {
      with: other,
      turns: seqs.length,
      of: of.get(other)!,
      seqs: seqs.slice(-SEQS_MAX),
    };
  }
}
