import { type AST, RegExpParser } from '@eslint-community/regexpp';
import { pick, type Random } from './samples.ts';

/** Characters that stand around secrets. */
const CHARS = [
  ...'"\'`\\ \n\r\t:=-/@.,;[]{}()<>$%&+|!?*#~^_\x1b\u2192\u00e90123456789abfnrtuxyzABZQ',
];

/** A text that the node may match, but for what is looked at ahead of it. */
function example(node: AST.Node, flags: string, random: Random): string {
  switch (node.type) {
    case 'Character':
      return String.fromCodePoint(node.value);
    case 'CharacterClass':
    case 'CharacterSet': {
      const one = new RegExp(`^${node.raw}$`, flags.replace(/[gy]/g, ''));
      return pick(random, CHARS.filter((char) => one.test(char)).concat(['a']));
    }
    case 'Quantifier': {
      const more = random(Math.min(node.max - node.min, 3) + 1);
      const count = Math.min(node.min + more, 40);
      return Array.from({ length: count }, () => example(node.element, flags, random)).join('');
    }
    case 'Assertion':
      return node.kind === 'lookbehind' && !node.negate
        ? example(pick(random, node.alternatives), flags, random)
        : '';
    case 'Alternative':
      return node.elements.map((one) => example(one, flags, random)).join('');
    case 'Pattern':
    case 'Group':
    case 'CapturingGroup':
      return example(pick(random, node.alternatives), flags, random);
    default:
      return '';
  }
}

/** One that it matches as often as not: something around it, and now and then something in it that is not its own. */
export function textFor(
  { source, flags }: Pick<RegExp, 'source' | 'flags'>,
  random: Random,
): string {
  const tree = new RegExpParser().parsePattern(source);
  const some = (count: number) =>
    Array.from({ length: random(count) }, () => pick(random, CHARS)).join('');
  const own = example(tree, flags, random);
  const at = random(own.length + 1);
  const spoilt = random(3) === 0 ? own.slice(0, at) + some(2) + own.slice(at + random(2)) : own;
  return `${some(6)}${spoilt}${pick(random, ['', '"', ' ', '\n', some(8)])}`;
}
