import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadAll } from '../src/cli/commands.ts';
import { optionsOf } from '../src/cli/ui/help.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const PAGE = 'src/doctor/SOMETHING-IS-WRONG.md';
const PAGES = ['README.md', '.github/CONTRIBUTING.md', '.github/SECURITY.md', PAGE];

/** What the program is made of. */
const sources = (): string =>
  readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => read(`src/${name}`))
    .join('\n');

describe('the pages for people', () => {
  it.each(PAGES)('%s links to what is there', (page) => {
    const links = Array.from(read(page).matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g), ([, to]) => to!);
    const broken = links.filter(
      (to) => !/^https?:/.test(to) && !existsSync(path.join(ROOT, path.dirname(page), to)),
    );
    expect(broken).toEqual([]);
  });

  it('“Something is wrong” quotes what ben10 says, and names commands and options that there are', async () => {
    const page = read(PAGE);
    const quoted = Array.from(page.matchAll(/^(?:\||-) `([^`]+)`/gm), ([, text]) => text!);
    const commands = await loadAll();
    const isCommand = (text: string) => commands.has(/^ben10 (\S+)/.exec(text)?.[1] ?? '');
    const quotes = quoted.filter((text) => !isCommand(text));
    expect(quotes.length).toBeGreaterThan(12);
    const program = sources();
    expect(quotes.filter((quote) => !program.includes(quote))).toEqual([]);
    const named = Array.from(page.matchAll(/(?:^|`)(ben10 [^`#\n]+)/gm), ([, text]) =>
      text!.trim(),
    );
    for (const text of named.filter((one) => !quotes.includes(one))) {
      const [, name, ...words] = text.split(' ');
      const command = commands.get(name!);
      expect(command, text).toBeDefined();
      const known = ['--help', ...optionsOf(command!).flatMap(({ names }) => names)];
      expect(known, text).toEqual(
        expect.arrayContaining(words.filter((one) => one.startsWith('-'))),
      );
    }
  });

  it('“Something is wrong” answers what users ask, is in README’s table, and in the package', () => {
    const titles = Array.from(read(PAGE).matchAll(/^## (.+)$/gm), ([, title]) => title);
    expect(titles.slice(0, 5)).toEqual([
      'Hooks do not run',
      'The server is not connected',
      'Nothing is recorded',
      'It is slow',
      'Take it away again',
    ]);
    expect(read('README.md')).toContain(`(${PAGE})`);
    expect(JSON.parse(read('package.json')).files).toContain(PAGE);
  });

  it('SECURITY.md says how to report, and what is promised and what is not', () => {
    const page = read('.github/SECURITY.md');
    for (const word of ['advisories/new', 'hostile', 'Redaction', 'erase', 'not encrypted'])
      expect(page).toContain(word);
  });
});
