import { describe, expect, it } from 'vitest';
import { PROBLEMS_MAX, parseConfigFile } from '../../../src/platform/config/yaml.ts';

const parse = (text: string) => parseConfigFile('c.yaml', Buffer.from(text));
const places = (text: string) =>
  parse(text).problems.map(({ path, line, column }) => `${path} ${line}:${column}`);

describe('a YAML file of settings', () => {
  it('may be empty, all comments, YAML or JSON, with a byte order mark', () => {
    for (const text of ['', '# nothing\n', '---\n', '{}', 'context:\n  # autoSave: false\n']) {
      expect(parse(text)).toMatchObject({ values: new Map(), problems: [] });
    }
    for (const text of [
      'recall:\n  maxChars: 600\n',
      '\ufeffrecall: {maxChars: 600}',
      '{"recall": {"maxChars": 600}}',
      'recall:\r\n  maxChars: 600\r\n',
    ]) {
      expect(parse(text).values).toEqual(new Map([['recall.maxChars', 600]]));
    }
  });

  it('shows a wrong value at the value, and an unknown key at the key', () => {
    expect(places('context:\n  autoSave: perhaps\n')).toEqual(['context.autoSave 2:13']);
    expect(places('mcp:\n  logLevel: info\n  colour: red\n')).toEqual(['mcp.colour 3:3']);
    expect(places('\n\nbogus: 1\n')).toEqual(['bogus 3:1']);
    expect(places('mcp:\n  logLevel:\n')).toEqual(['mcp.logLevel 2:3']);
    expect(places('- a\n')).toEqual([' 1:1']);
  });

  it('shows problems inside lists at their item', () => {
    const text = [
      'redaction:',
      '  patterns:',
      '    - id: GOOD',
      '      pattern: x',
      '    - id: "bad id"',
      '      pattern: "("',
      '      regex: y',
      '  allow: [a, 5]',
      '',
    ].join('\n');
    expect(places(text)).toEqual([
      'redaction.patterns[1] 7:7',
      'redaction.patterns[1].id 5:11',
      'redaction.patterns[1].pattern 6:16',
      'redaction.allow[1] 8:14',
    ]);
  });

  it('reports several problems together', () => {
    const { problems, values } = parse(
      'recall:\n  maxChars: 1\nmcp:\n  profile: core\n  logLevl: info\n',
    );
    expect(problems.map((problem) => problem.message)).toEqual([
      'recall.maxChars: expected a whole number of characters from 500 to 9500, found the number 1',
      "unknown setting 'mcp.logLevl'; the nearest known name is 'mcp.logLevel'",
    ]);
    expect(values).toEqual(new Map([['mcp.profile', 'core']]));
  });

  it('reports at most twenty of them', () => {
    const lines = (n: number) => Array.from({ length: n }, (_, i) => `k${i}: 1\n`).join('');
    expect(parse(lines(PROBLEMS_MAX)).problems).toHaveLength(PROBLEMS_MAX);
    expect(parse(lines(PROBLEMS_MAX + 1)).problems).toHaveLength(PROBLEMS_MAX);
  });

  it.each([
    ['a key twice', 'mcp:\n  profile: core\n  profile: all\n', 3],
    ['a bracket that is not closed', 'mcp: [1,\nrecall: 2\n', 2],
    ['a tab as indentation', 'mcp:\n\tprofile: core\n', 2],
    ['two documents', 'mcp: {}\n---\nmcp: {}\n', 2],
  ])('says where it is broken: %s', (_, text, line) => {
    const [problem] = parse(text).problems;
    expect(problem?.message).toMatch(/^not valid YAML: /);
    expect(problem?.message).not.toContain('\n');
    expect(problem?.line).toBe(line);
  });

  it.each([
    ['an alias', 'redaction:\n  patterns: [*hunter-two]\n'],
    ['a tag', 'redaction:\n  patterns: [!hunter-two! x]\n'],
    ['a verbatim tag', 'redaction:\n  patterns: [!<!hunter-two> x]\n'],
    ['words behind the sign of a block', 'redaction:\n  allow:\n    - | hunter-two\n'],
    ['a setting', 'redaction:\n  hunter-two: 1\n'],
    ['a field of a rule', 'redaction:\n  patterns:\n    - hunter-two: 1\n'],
  ])('says nothing of a secret that stands where it is no rule: as %s', (_, text) => {
    const { problems } = parse(text);
    expect(problems).not.toEqual([]);
    expect(JSON.stringify(problems)).not.toContain('hunter');
  });

  it('refuses bytes that are not UTF-8', () => {
    const [problem] = parseConfigFile('c.yaml', Buffer.from([0x6d, 0xff, 0xfe])).problems;
    expect(problem?.message).toBe('the file is not UTF-8 text');
  });

  it.each([
    ['lists in brackets', '['],
    ['maps in braces', '{a: '],
    ['lists of lists in one line', '- '],
    ['keys that are lists', '? '],
  ])('is not made into a document where %s nest too deep for that', (_, level) => {
    const [message] = parse(level.repeat(60)).problems.map((one) => one.message);
    expect(message).toBe('not usable: it is nested too deep');
    for (const { message } of parse(level.repeat(20)).problems)
      expect(message).not.toContain('too deep');
  });

  it('survives aliases that multiply, and nesting beyond the stack', { tags: 'long' }, () => {
    const bomb = ['a: &a [x,x,x,x,x,x,x,x,x]'];
    for (let i = 0; i < 9; i++) {
      const [from, to] = [String.fromCharCode(97 + i), String.fromCharCode(98 + i)];
      bomb.push(`${to}: &${to} [${Array(9).fill(`*${from}`).join(',')}]`);
    }
    expect(parse(bomb.join('\n')).problems[0]?.message).toMatch(/^not usable: /);
    const deep = '['.repeat(100_000);
    expect(parse(deep).problems).toHaveLength(1);
    expect(parse(deep).problems[0]?.message).not.toContain('call stack');
  });

  it('gives names of built-in properties no power', () => {
    const { values, problems } = parse(
      '__proto__:\n  polluted: true\nmcp:\n  __proto__: {profile: all}\n',
    );
    expect(problems.map((problem) => problem.path)).toEqual(['__proto__', 'mcp.__proto__']);
    expect(values.size).toBe(0);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
