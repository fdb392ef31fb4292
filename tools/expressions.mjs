// Makes programs of regular expressions for `src/capture/redaction/machine.wat`. V8 takes 0.3 to 3 ms to compile a large
// expression, in every hook anew, and uses it once; a program is ready when the package is built.
import { RegExpParser } from '@eslint-community/regexpp';

/** The instructions, by the place of their names in `$run` of `machine.wat`; operands are words of two bytes behind them. */
const OP = Object.fromEntries(
  [
    'is', // character
    'in', // set
    'if', // set, elsewhere
    'repeat', // set, least, most
    'split', // elsewhere
    'jump', // to
    'inBack', // set
    'match',
    'save', // register
    'zero', // register
    'count', // register
    'loop', // register, least, most, behind, lazy
    'look', // negative, behind
    'assert', // ASSERTIONS
    'repeatBack', // set, least, most
    'lazy', // set, least, most
  ].map((name, code) => [name, code]),
);
/** `$assert` of `machine.wat`. */
const ASSERT = { start: 0, end: 1, lineStart: 2, lineEnd: 3, wordEdge: 4, noWordEdge: 5 };

/** The most that a repetition may say: no text of the machine's is so long. */
const MANY = 0xffff;
/** A register is four bytes. */
const REGISTER_BYTES = 4;
const REGISTERS_MAX = 128;
/** The program's room, words. */
const WORDS_MAX = 12 * 1024;
const BITS_BELOW = 128;
const UNITS = 0x10000;

/** What the machine does not know; V8 runs such an expression. */
class Unknown extends Error {}

const sets = new Map();

/**
 * The code units that a node of one character matches, as V8 says: `{ has, ranges, key }`.
 * @param raw source text of the node
 */
function setOf(raw, flags) {
  const own = flags.replace(/[^is]/g, '');
  const id = `${own}/${raw}`;
  let set = sets.get(id);
  if (set === undefined) {
    const pattern = new RegExp(`^(?:${raw})$`, own);
    const ranges = [];
    for (let unit = 0; unit < UNITS; unit += 1) {
      if (!pattern.test(String.fromCharCode(unit))) continue;
      const last = ranges.at(-1);
      if (last !== undefined && last[1] === unit - 1) last[1] = unit;
      else ranges.push([unit, unit]);
    }
    set = { ranges };
    sets.set(id, set);
  }
  return set;
}

const union = (all) => {
  const ranges = [];
  for (const [low, high] of all.flatMap((set) => set.ranges).sort((a, b) => a[0] - b[0])) {
    const last = ranges.at(-1);
    if (last !== undefined && low <= last[1] + 1) last[1] = Math.max(last[1], high);
    else ranges.push([low, high]);
  }
  return { ranges };
};

const isOne = (node) =>
  node.type === 'Character' || node.type === 'CharacterSet' || node.type === 'CharacterClass';

/** The fewest characters that a node matches. */
function leastOf(node) {
  if (isOne(node)) return 1;
  switch (node.type) {
    case 'Group':
    case 'CapturingGroup':
      return Math.min(...node.alternatives.map(leastOf));
    case 'Alternative':
      return node.elements.reduce((sum, it) => sum + leastOf(it), 0);
    case 'Quantifier':
      return node.min * leastOf(node.element);
    default:
      return 0;
  }
}

const isAnchored = ({ elements: [first] }) => first?.type === 'Assertion' && first.kind === 'start';

const holdsGroup = (node) =>
  node.type === 'CapturingGroup' ||
  (node.alternatives ?? node.elements ?? (node.element ? [node.element] : [])).some(holdsGroup);

class Program {
  #flags;
  #words = [0, 0, 0, 0];
  #sets = new Map();
  #fixes = [];
  #registers;

  constructor(pattern, flags, groups) {
    this.#flags = flags;
    this.#registers = 2 * (groups + 1);
    const first = this.#firstOfAll(pattern.alternatives);
    this.#alternatives(pattern.alternatives, false);
    this.#emit(OP.match);
    if (first !== undefined) this.#fixes.push([0, first]);
    this.#words[1] = this.#registers;
    this.#words[2] = groups;
    this.#words[3] = !flags.includes('m') && pattern.alternatives.every(isAnchored) ? 1 : 0;
    this.#appendSets();
  }

  /** Words of two bytes. */
  get words() {
    if (
      this.#words.length > WORDS_MAX ||
      this.#registers > REGISTERS_MAX ||
      this.#words.some((word) => word > MANY)
    )
      throw new Unknown('it is too large');
    return Uint16Array.from(this.#words);
  }

  /** What a match of these begins with; undefined where it may be empty or anything. */
  #firstOfAll(alternatives) {
    const all = alternatives.map((it) => this.#first(it));
    return all.includes(undefined) ? undefined : union(all);
  }

  #first(node) {
    if (isOne(node)) return setOf(node.raw, this.#flags);
    switch (node.type) {
      case 'Group':
      case 'CapturingGroup':
        return this.#firstOfAll(node.alternatives);
      case 'Quantifier':
        return node.max === 0 ? undefined : this.#first(node.element);
      case 'Alternative': {
        const all = [];
        for (const it of node.elements) {
          if (it.type === 'Assertion') continue;
          const own = this.#first(it);
          if (own === undefined) return undefined;
          all.push(own);
          if (leastOf(it) > 0) return union(all);
        }
        return undefined;
      }
      default:
        return undefined;
    }
  }

  #emit(...words) {
    const at = this.#words.length;
    for (const word of words) {
      if (typeof word === 'object') this.#fixes.push([this.#words.length, word]);
      this.#words.push(typeof word === 'object' ? 0 : word);
    }
    return at;
  }

  get #here() {
    return this.#words.length;
  }

  #alternatives(all, back) {
    const ends = [];
    for (const [index, alternative] of all.entries()) {
      if (index < all.length - 1) {
        const first = back ? undefined : this.#first(alternative);
        const at = first ? this.#emit(OP.if, first, 0) : this.#emit(OP.split, 0);
        this.#sequence(alternative, back);
        ends.push(this.#emit(OP.jump, 0) + 1);
        this.#words[at + (first ? 2 : 1)] = this.#here;
      } else this.#sequence(alternative, back);
    }
    for (const end of ends) this.#words[end] = this.#here;
  }

  #sequence({ elements }, back) {
    for (const node of back ? elements.toReversed() : elements) this.#node(node, back);
  }

  #node(node, back) {
    if (isOne(node)) return this.#one(node, back);
    switch (node.type) {
      case 'Group':
        if (node.modifiers) throw new Unknown('modifiers');
        return this.#alternatives(node.alternatives, back);
      case 'CapturingGroup': {
        const register = this.#groupRegister(node);
        const [before, behind] = back ? [register + 1, register] : [register, register + 1];
        this.#emit(OP.save, before * REGISTER_BYTES);
        this.#alternatives(node.alternatives, back);
        return this.#emit(OP.save, behind * REGISTER_BYTES);
      }
      case 'Quantifier':
        return this.#quantifier(node, back);
      case 'Assertion':
        return this.#assertion(node);
      default:
        throw new Unknown(node.type);
    }
  }

  #groups = new Map();
  #groupRegister(node) {
    if (!this.#groups.has(node)) this.#groups.set(node, 2 * (this.#groups.size + 1));
    return this.#groups.get(node);
  }

  #one(node, back) {
    const set = setOf(node.raw, this.#flags);
    const [range] = set.ranges;
    if (!back && set.ranges.length === 1 && range[0] === range[1])
      return this.#emit(OP.is, range[0]);
    return this.#emit(back ? OP.inBack : OP.in, set);
  }

  #quantifier({ element, min, max, greedy }, back) {
    const most = Math.min(max, MANY);
    if (most === 0) return;
    if (isOne(element) && (greedy || !back)) {
      const op = back ? OP.repeatBack : greedy ? OP.repeat : OP.lazy;
      return this.#emit(op, setOf(element.raw, this.#flags), min, most);
    }
    if (min === 0 && max === 1) return this.#optional(element, greedy, back);
    if (leastOf(element) === 0) throw new Unknown('an empty repetition');
    if (holdsGroup(element)) throw new Unknown('a group that is repeated');
    if (min === 0 && most === MANY && greedy) {
      const head = this.#branch(element, back);
      this.#node(element, back);
      this.#emit(OP.jump, head.at);
      this.#words[head.fix] = this.#here;
      return;
    }
    const register = this.#registers * REGISTER_BYTES;
    this.#registers += 1;
    this.#emit(OP.zero, register);
    const head = this.#emit(OP.loop, register, min, most, 0, greedy ? 0 : 1);
    this.#emit(OP.count, register);
    this.#node(element, back);
    this.#emit(OP.jump, head);
    this.#words[head + 4] = this.#here;
  }

  #branch(element, back) {
    const first = back ? undefined : this.#first(element);
    const at = first ? this.#emit(OP.if, first, 0) : this.#emit(OP.split, 0);
    return { at, fix: at + (first ? 2 : 1) };
  }

  #optional(element, greedy, back) {
    if (leastOf(element) === 0) throw new Unknown('an empty repetition');
    if (greedy) {
      const { fix } = this.#branch(element, back);
      this.#node(element, back);
      this.#words[fix] = this.#here;
      return;
    }
    // To the element only when what follows fails.
    const split = this.#emit(OP.split, 0);
    const jump = this.#emit(OP.jump, 0);
    this.#words[split + 1] = this.#here;
    this.#node(element, back);
    this.#words[jump + 1] = this.#here;
  }

  #assertion(node) {
    const isMultiline = this.#flags.includes('m');
    switch (node.kind) {
      case 'start':
        return this.#emit(OP.assert, isMultiline ? ASSERT.lineStart : ASSERT.start);
      case 'end':
        return this.#emit(OP.assert, isMultiline ? ASSERT.lineEnd : ASSERT.end);
      case 'word':
        return this.#emit(OP.assert, node.negate ? ASSERT.noWordEdge : ASSERT.wordEdge);
      default: {
        if (node.alternatives.some(holdsGroup)) throw new Unknown('a group in what is looked at');
        const at = this.#emit(OP.look, node.negate ? 1 : 0, 0);
        this.#alternatives(node.alternatives, node.kind === 'lookbehind');
        this.#emit(OP.match);
        this.#words[at + 2] = this.#here;
      }
    }
  }

  #appendSets() {
    for (const [at, set] of this.#fixes) {
      const key = set.ranges.join(' ');
      if (!this.#sets.has(key)) this.#sets.set(key, this.#set(set));
      this.#words[at] = this.#sets.get(key);
    }
  }

  #set({ ranges }) {
    const at = this.#here;
    const bits = new Uint16Array(BITS_BELOW / 16);
    const more = [];
    for (const [low, high] of ranges) {
      for (let unit = low; unit <= high && unit < BITS_BELOW; unit += 1)
        bits[unit >> 4] |= 1 << (unit & 15);
      if (high >= BITS_BELOW) more.push(Math.max(low, BITS_BELOW), high);
    }
    this.#words.push(...bits, more.length / 2, ...more);
    return at;
  }
}

const groupsOf = (node) => [
  ...(node.type === 'CapturingGroup' ? [node] : []),
  ...(node.alternatives ?? node.elements ?? (node.element ? [node.element] : [])).flatMap(groupsOf),
];

/**
 * The program of an expression; why there is none where the machine does not know something in it.
 * @returns {{ words: Uint16Array } | { why: string }}
 */
export function programOf(source, flags) {
  const pattern = new RegExpParser({ ecmaVersion: 2024 }).parsePattern(source);
  try {
    if (/[uv]/.test(flags)) throw new Unknown('code points');
    return { words: new Program(pattern, flags, groupsOf(pattern).length).words };
  } catch (error) {
    if (error instanceof Unknown) return { why: error.message };
    throw error;
  }
}
