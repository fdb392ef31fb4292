import { redactText } from '../../../../src/capture/redaction/index.ts';
import { BASE62, chars, type Random, seeded } from '../samples.ts';
import { options, type Recall } from './recall.ts';

/** Passwords as managers make them, full of signs, wherever those may stand as they are or are written in another way. */

const SIGNS = '&;|<>(){}[],"\'$';
const OTHER_SIGNS = '!@%^*+-_=.:/?~';
/** So many of the signs that end a word elsewhere are in each. */
const SIGNS_MIN = 3;
/** As much of a password must not remain, characters. */
const PIECE_CHARS = 5;

export interface StrongPlace {
  name: string;
  /** Characters that no password has there, and those that none begins with. */
  without?: string;
  notFirst?: string;
  /** How the place writes it. */
  write?: (password: string) => string;
  before: string;
  after: string;
}

const json = (text: string): string => JSON.stringify(text).slice(1, -1);
const place = (
  name: string,
  before: string,
  after: string,
  more: Partial<StrongPlace> = {},
): StrongPlace => ({ name, before, after, ...more });

/** Where a quotation mark at the beginning would be one around the value. */
const BARE = { notFirst: '"\'$' };
/** In double marks a shell reads `$`; `!` is of its history. */
const DOUBLE = { without: '"$!' };
const SINGLE = { without: "'" };
/** What a word of YAML cannot begin with. */
const YAML = { notFirst: '&|<>{}[],"\'$@%*!-?:=.', without: ':' };

export const STRONG_PLACES: readonly StrongPlace[] = [
  place('.env', 'A=1\nDB_PASSWORD=', '\nB=2\n', { notFirst: '"\'' }),
  place('.env, a comment', 'DB_PASSWORD=', ' # of the database\n', BARE),
  place('.env, a diff', '@@ -1 +1 @@\n+DB_PASSWORD=', '\n', BARE),
  place('.env, grep -n', '.env:3:DB_PASSWORD=', '\n', BARE),
  place('.env, listed', '     3\tDB_PASSWORD=', '\n', BARE),
  place('.env, in JSON', '{"output":"A=1\\nDB_PASSWORD=', '\\nB=2"}', { ...BARE, write: json }),
  place('.env, in JSON in JSON', '{\\"output\\":\\"A=1\\\\nDB_PASSWORD=', '\\\\nB=2\\"}', {
    ...BARE,
    write: (text) => json(json(text)),
  }),
  place('.env, single marks', "DB_PASSWORD='", "'\n", SINGLE),
  place('.env, double marks', 'DB_PASSWORD="', '"\n', DOUBLE),
  place('export, single marks', "export DB_PASSWORD='", "' && npm start", SINGLE),
  place('export, double marks', 'export DB_PASSWORD="', '"; npm start', DOUBLE),
  place('docker run -e', 'docker run -e "DB_PASSWORD=', '" -p 80:80 x', DOUBLE),
  place('docker inspect', '"Env": ["A=1", "DB_PASSWORD=', '"]', { write: json }),
  place('systemd', "[Service]\nEnvironment='DB_PASSWORD=", "'\n", SINGLE),
  place('docker-compose, a list', 'environment:\n  - DB_PASSWORD=', '\n', BARE),
  place('Java properties', 'spring.datasource.password=', '\n', YAML),
  place('ini', '[db]\npassword = ', '\n', YAML),
  place('YAML', 'db:\n  password: ', '\n  user: me\n', YAML),
  place('YAML, single marks', "db:\n  password: '", "'\n", {
    write: (text) => text.replaceAll("'", "''"),
    notFirst: "'",
  }),
  place('YAML, double marks', 'db:\n  password: "', '"\n', { write: json }),
  place('JSON', '{"password": "', '", "user": "me"}', { write: json }),
  place('JSON in JSON', '{\\"password\\": \\"', '\\"}', { write: (text) => json(json(text)) }),
  place('Python', "db = {'password': '", "'}", { write: (text) => text.replaceAll("'", "\\'") }),
  place('curl -u', "curl -s -u 'me:", "' https://x.example", SINGLE),
  place('mysql -p', "mysql -u root -p'", "' app", SINGLE),
  place('sshpass', "sshpass -p '", "' ssh me@host", SINGLE),
  place('docker login', 'docker login -u me -p "', '" registry.example.org', DOUBLE),
  place('an option', "deploy --password '", "' --now", SINGLE),
];

function passwordFor({ without = '', notFirst = '' }: StrongPlace, random: Random): string {
  const allowed = (alphabet: string) =>
    [...alphabet].filter((sign) => !without.includes(sign)).join('');
  const [signs, others] = [allowed(SIGNS), allowed(`${BASE62}${BASE62}${OTHER_SIGNS}`)];
  for (;;) {
    const text = [...chars(random, others, 11 + random(6)), ...chars(random, signs, SIGNS_MIN)];
    const mixed = text
      .map((char) => ({ char, at: random(1 << 30) }))
      .sort((a, b) => a.at - b.at)
      .map(({ char }) => char)
      .join('');
    if (/\d/.test(mixed) && !notFirst.includes(mixed[0] ?? '')) return mixed;
  }
}

/** How many of so many passwords are gone from the place, all of each but a few characters. */
export function strongRecall(where: StrongPlace, samples: number): Recall {
  const random = seeded(29);
  const recall = { found: 0, named: 0, of: samples };
  for (let index = 0; index < samples; index += 1) {
    const password = passwordFor(where, random);
    const shown = where.write?.(password) ?? password;
    const text = `${where.before}${shown}${where.after}`;
    if (!holdsPiece(redactText(text, options).text, shown)) recall.found += 1;
  }
  return recall;
}

function holdsPiece(text: string, secret: string): boolean {
  for (let at = 0; at + PIECE_CHARS <= secret.length; at += 1)
    if (text.includes(secret.slice(at, at + PIECE_CHARS))) return true;
  return false;
}
