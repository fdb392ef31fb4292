import type { Random } from '../samples.ts';

/** What stands around a secret in what agents read and print. */
export interface Context {
  name: string;
  /**
   * @param text the secret as a file has it: alone, or behind a label that tells whose it is
   * @returns the text, and the secret as it reads there
   */
  wrap: (text: string, secret: string, random: Random) => { text: string; shown: string };
}

export const PLAIN: Context = { name: 'plain', wrap: (text, secret) => ({ text, shown: secret }) };

const jsonEscaped = (text: string): string => JSON.stringify(text).slice(1, -1);
const around = (name: string, before: string, after = ''): Context => ({
  name,
  wrap: (text, secret) => ({ text: `${before}${text}${after}`, shown: secret }),
});
export const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Escaped for JSON so many times. */
function inJson(levels: number): Context {
  return {
    name: levels === 1 ? 'in JSON' : `in JSON, ${levels} levels`,
    wrap: (text, secret) => {
      let [whole, shown] = [`first\n${text}\nlast`, secret];
      for (let level = 0; level < levels; level += 1) {
        whole = JSON.stringify({ output: whole });
        shown = jsonEscaped(shown);
      }
      return { text: whole, shown };
    },
  };
}

/** Every line of the text behind what a program prints before it. */
const eachLine = (name: string, line: (text: string, index: number) => string): Context => ({
  name,
  wrap: (text, secret) => ({ text: text.split('\n').map(line).join('\n'), shown: secret }),
});

/** What a program colours in the secret: its first characters, as grep does, in every place where they stand. */
const CHARS_COLOURED = 4;

/** For every secret, with its label where it has one. */
export const CONTEXTS: readonly Context[] = [
  around('in a sentence', 'It says: ', '\nand then goes on.'),
  around('in a diff, added', '@@ -1,2 +1,2 @@\n+'),
  around('in a diff, removed', '@@ -1,2 +1,2 @@\n-'),
  around('coloured', '\x1b[32m', '\x1b[0m'),
  around('coloured, 24 bits, more than once', '\x1b[0m\x1b[1m\x1b[38;2;10;20;30m', '\x1b[0m\x1b[K'),
  {
    name: 'coloured by grep, in the secret',
    wrap: (text, secret) => {
      const start = secret.slice(0, CHARS_COLOURED);
      const rest = secret.slice(CHARS_COLOURED);
      const coloured = `\x1b[01;31m\x1b[K${start}\x1b[m\x1b[K${rest}`;
      return { text: text.replace(secret, () => coloured), shown: rest };
    },
  },
  eachLine('grep -rn', (line, index) => `src/a/app.conf:${index + 1}:${line}`),
  eachLine('grep -r -A', (line, index) => `src/a/app.conf${index === 0 ? ':' : '-'}${line}`),
  eachLine('grep -rn -A', (line, index) => `src/a/app.conf-${index + 1}-${line}`),
  eachLine(
    'grep -rn -A, coloured',
    (line, index) =>
      `\x1b[35m\x1b[Ka.conf\x1b[m\x1b[K\x1b[36m\x1b[K-\x1b[m\x1b[K${index + 1}\x1b[36m\x1b[K-\x1b[m\x1b[K${line}`,
  ),
  eachLine('cat -A', (line) => `${line}$`),
  around('in a listing with line numbers', '    12\u2192'),
  around('on Windows', 'a\r\n', '\r\nb'),
  around('in a log', '2026-11-21T10:00:00Z INFO [main] got '),
  inJson(1),
  inJson(2),
  inJson(3),
  {
    name: 'coloured, in JSON',
    wrap: (text, secret) => ({
      text: JSON.stringify({ output: `\x1b[1;31m${text}\x1b[0m` }),
      shown: jsonEscaped(secret),
    }),
  },
  {
    name: 'percent-encoded',
    wrap: (text, secret) => ({
      text: `https://x.example/cb?state=${encodeURIComponent(text)}&a=1`,
      shown: encodeURIComponent(secret),
    }),
  },
];

/** The secret alone, between two texts. */
export const assigned = (name: string, before: string, after = ''): Context => ({
  name,
  wrap: (_text, secret) => ({ text: `${before}${secret}${after}`, shown: secret }),
});

/** For the secret alone: labels, commands and files that bring their own words. */
export const ASSIGNMENTS: readonly Context[] = [
  assigned('.env', 'DEBUG=1\nMY_TOKEN=', '\nPORT=80'),
  assigned('.env, quoted', 'MY_TOKEN="', '"'),
  assigned('export', "export MY_TOKEN='", "'"),
  assigned('before a command', 'MY_TOKEN=', ' npm start'),
  assigned('YAML', 'auth:\n  token: ', '\n  user: me'),
  assigned('YAML, a list', 'auth:\n  tokens:\n    - ', '\n  user: me'),
  assigned('JSON', '{"token":"', '","user":"me"}'),
  assigned('code', "const token = '", "';"),
  assigned('Python', 'client = Client(token="', '", retries=3)'),
  assigned('query string', 'https://api.example.org/v1?token=', '&page=2'),
  assigned('Authorization', 'Authorization: Bearer ', '\r\nAccept: */*'),
  assigned('curl -H', "curl -H 'Authorization: Bearer ", "' https://api.example.org"),
  assigned('X-Api-Key', 'X-Api-Key: ', '\r\nAccept: */*'),
  assigned('Cookie', 'Cookie: theme=dark; session=', '\r\n'),
  assigned('Cookie, first short', "curl -H 'cookie: a=1; lang=en; auth_session=", "'"),
  assigned('Set-Cookie', 'Set-Cookie: session=', '; Path=/; HttpOnly'),
  assigned('curl -u', 'curl -s -u admin:', ' https://api.example.org'),
  assigned('docker login', 'docker login -u me -p ', ' registry.example.org'),
  assigned('mysql -p', 'mysql -u root -p', ' -h db app'),
  assigned('.netrc', 'machine api.example.org\n  login me\n  password ', '\n'),
  assigned('.npmrc', '//registry.example.org/:_authToken=', '\n'),
  assigned('.pypirc', '[pypi]\nusername = __token__\npassword = ', '\n'),
  assigned('kubeconfig', 'users:\n- name: me\n  user:\n    token: ', '\n'),
  assigned(
    'Terraform state',
    '"outputs":{"key":{"value":"',
    '","type":"string","sensitive":true}}',
  ),
  assigned('--from-literal', 'kubectl create secret generic x --from-literal=key=', ' -n app'),
  {
    name: 'a JSON Web Key',
    wrap: (_text, secret) => {
      const shown = base64(secret.padEnd(24))
        .replace(/=+$/, '')
        .replaceAll('/', '_')
        .replaceAll('+', '-');
      return { text: JSON.stringify({ kty: 'oct', k: shown, alg: 'HS256' }), shown };
    },
  },
  {
    name: 'a JSON Web Key, private',
    wrap: (_text, secret) => {
      const shown = base64(secret.padEnd(24))
        .replace(/=+$/, '')
        .replaceAll('/', '_')
        .replaceAll('+', '-');
      return {
        text: JSON.stringify({ crv: 'P-256', d: shown, kty: 'EC', x: 'abc' }, null, 2),
        shown,
      };
    },
  },
  {
    name: 'cookies of curl',
    wrap: (_text, secret) => {
      const shown = base64(secret.padEnd(24));
      return { text: `#HttpOnly_x.example\tFALSE\t/\tTRUE\t0\tsid\t${shown}\n`, shown };
    },
  },
  {
    name: 'cookies of a browser',
    wrap: (_text, secret) => {
      const shown = base64(secret.padEnd(24));
      const cookie = { name: 'x', value: shown, domain: 'x.example', path: '/', httpOnly: true };
      return { text: JSON.stringify([cookie], undefined, 2), shown };
    },
  },
  {
    name: 'AWS, a table',
    wrap: (_text, secret) => {
      const shown = base64(secret.padEnd(30)).slice(0, 40);
      return { text: `|  SecretAccessKey |  ${shown}  |\n|  Status  | Active |`, shown };
    },
  },
  {
    name: 'Kubernetes secret, YAML',
    wrap: (_text, secret) => ({
      text: `apiVersion: v1\nkind: Secret\nmetadata:\n  name: x\ndata:\n  user: bWU=\n  key: ${base64(secret)}\ntype: Opaque\n`,
      shown: base64(secret),
    }),
  },
  {
    name: 'Kubernetes secret, JSON',
    wrap: (_text, secret) => ({
      text: JSON.stringify(
        { kind: 'Secret', data: { user: 'bWU=', key: base64(secret) }, type: 'Opaque' },
        null,
        2,
      ),
      shown: base64(secret),
    }),
  },
];

/** Secrets that go over several lines, or must begin one. */
const OF_LINES: readonly Context[] = [
  assigned('a name and a value, JSON', '{\n  "name": "DB_PASSWORD",\n  "value": "', '"\n}'),
  assigned('a name and a value, YAML', 'env:\n  - name: DB_PASSWORD\n    value: ', '\n'),
  assigned('AWS, a parameter', '  "Type": "SecureString",\n  "Value": "', '",\n'),
  assigned('.netrc', 'machine h.example.org\n  login me\n  password ', '\n'),
  assigned('redis.conf', 'port 6379\nrequirepass ', '\n'),
  assigned('.pgpass', '# host\ndb.example.org:5432:app:app:', '\n'),
  assigned('Gradle', "signing {\n    storePassword '", "'\n}"),
  assigned('JSON, value in the next line', '{"password":\n    "', '"}'),
  assigned('YAML, block', 'password: |\n  ', '\nuser: x'),
  {
    name: 'Kubernetes secret, JSON',
    wrap: (_text, secret) => ({
      text: JSON.stringify({ data: { key: base64(secret) }, kind: 'Secret' }, null, 2),
      shown: base64(secret),
    }),
  },
];

/** What programs print before each line. */
export const LINE_PREFIXES: readonly [name: string, prefix: (index: number) => string][] = [
  ['a diff, added', () => '+'],
  ['a diff, removed', () => '-'],
  ['Read', (index) => `${String(index + 8).padStart(6)}\u2192`],
  ['cat -n', (index) => `${String(index + 8).padStart(6)}\t`],
  ['bat', (index) => `${String(index + 8).padStart(4)} \u2502 `],
  ['grep -n', (index) => `${index + 8}:`],
  ['grep -rn', (index) => `src/a/app.conf:${index + 8}:`],
  ['grep -rn -A', (index) => `src/a/app.conf${index === 0 ? ':8:' : `-${index + 8}-`}`],
  ['grep -r', () => 'src/a/app.conf:'],
  ['a log', (index) => `2026-11-21T10:00:0${index % 10}.123Z `],
  ['a log, level', (index) => `2026-11-21 10:00:0${index % 10},123 INFO `],
  ['journalctl', (index) => `Nov 21 10:00:0${index % 10} host app[12]: `],
  ['gh run view', (index) => `build\tRun tests\t2026-11-21T10:00:0${index % 10}.1234567Z `],
  ['docker compose', () => 'web-1  | '],
  ['docker compose, times', (index) => `web-1  | 2026-11-21T10:00:0${index % 10}.123Z `],
  ['docker compose, a diff', () => 'web-1  | +'],
  ['kubectl logs', () => '[pod/web-7d4b9c/app] '],
  ['a quotation', () => '> '],
  ['a comment', () => '# '],
];

/** Each of the former behind each of the latter. */
export const PREFIXED: readonly Context[] = LINE_PREFIXES.flatMap(([before, prefix]) =>
  OF_LINES.map(
    ({ name, wrap }): Context => ({
      name: `${name}, behind ${before}`,
      wrap: (text, secret, random) => {
        const wrapped = wrap(text, secret, random);
        const lines = wrapped.text.split('\n').map((line, index) => prefix(index) + line);
        return { text: lines.join('\n'), shown: wrapped.shown };
      },
    }),
  ),
);

/** Secrets without any of these characters can stand in a URL, a bare value or a command line as they are. */
export const NEEDS_QUOTES = /[^\w.~+/=:-]/;
