/**
 * Secrets that never were: each is made at run time, from its rule's grammar and a seed, so that no line of this
 * repository looks like a secret to a scanner.
 */

export type Random = (below: number) => number;

/** mulberry32: small, and the same on every machine. */
export function seeded(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const DIGITS = '0123456789';
export const HEX = `${DIGITS}abcdef`;
export const BASE62 = UPPER + UPPER.toLowerCase() + DIGITS;
export const BASE64 = `${BASE62}+/`;
const BASE64URL = `${BASE62}-_`;

export function chars(random: Random, alphabet: string, count: number): string {
  let text = '';
  for (let index = 0; index < count; index += 1) text += alphabet[random(alphabet.length)];
  return text;
}

export function pick<T>(random: Random, list: readonly T[]): T {
  return list[random(list.length)] as T;
}

export interface Sample {
  /** A line or block as it stands in a file or an output. */
  text: string;
  /** The part of it that must not remain. */
  secret: string;
}

/** A line with the secret in the place of `#`. */
const line = (template: string, secret: string): Sample => ({
  text: template.replace('#', () => secret),
  secret,
});

const base64 = (text: string) => Buffer.from(text).toString('base64');
const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

const uuid = (random: Random) =>
  [8, 4, 4, 4, 12].map((count) => chars(random, HEX, count)).join('-');

/** A machine's key: at least one digit, as nearly every one of this length has. */
const key = (random: Random) =>
  `${chars(random, BASE62, 15)}7${chars(random, BASE62, 8 + random(24))}`;

/** A person's password: a word, digits and often a sign that needs no quotation marks. */
const password = (random: Random) =>
  chars(random, 'abcdefghijkmnopqrstuvwxyz', 4 + random(5)) +
  chars(random, '23456789', 1 + random(3)) +
  pick(random, ['', '!', '@', '#', '_', '%', '*']);

function pemBody(random: Random): string[] {
  const lines = Array.from({ length: 4 + random(20) }, () => chars(random, BASE64, 64));
  return [...lines, `${chars(random, BASE64, 3 + random(50))}=`];
}

const PEM_KINDS = ['', 'RSA ', 'EC ', 'DSA ', 'OPENSSH ', 'ENCRYPTED ', 'SSH2 ENCRYPTED '];

export function pem(random: Random): { lines: string[]; body: string[] } {
  const kind = pick(random, PEM_KINDS);
  const body = pemBody(random);
  const fields =
    kind === 'RSA ' && random(2) === 0
      ? ['Proc-Type: 4,ENCRYPTED', `DEK-Info: AES-128-CBC,${chars(random, HEX, 32)}`, '']
      : [];
  const dashes = '-'.repeat(5);
  const lines = [
    `${dashes}BEGIN ${kind}PRIVATE KEY${dashes}`,
    ...fields,
    ...body,
    `${dashes}END ${kind}PRIVATE KEY${dashes}`,
  ];
  return { lines, body };
}

/** What stands in source, settings, shell and output before and after a value. `#` is the value. */
const assignments = (labels: readonly string[]) => (random: Random) => {
  const label = pick(random, labels);
  const constant = label
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toUpperCase();
  return pick(random, [
    `${constant}=#`,
    `export MY_${constant}="#"`,
    `${label}: "#",`,
    `"${label}": "#"`,
    `'${label}' => '#',`,
    `  ${label}: #`,
    `const ${label.replace(/[-_](\w)/g, (_, next: string) => next.toUpperCase())} = '#';`,
    `deploy --${label.replaceAll('_', '-')} # --now`,
    `deploy --${label.replaceAll('_', '-')}=# --now`,
    `${label} := "#"`,
    `config['${label}'] = "#"`,
    `${label}: str = "#"`,
    `"${label}":\n    "#",`,
    `<${label}>#</${label}>`,
    `<add key="${label}" value="#"/>`,
    `{"name": "${constant}", "value": "#"}`,
    `- name: ${constant}\n  value: "#"`,
    `ENV ${constant} #`,
    `setx ${constant} "#"`,
    `define('${constant}', '#');`,
    `&quot;${label}&quot;:&quot;#&quot;`,
  ]);
};

const labelled =
  (labels: readonly string[], value: (random: Random) => string) =>
  (random: Random): Sample =>
    line(assignments(labels)(random), value(random));

const GITHUB = ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'];

/** By rule id: one secret of its grammar for each call. */
export const SAMPLES: Record<string, (random: Random) => Sample> = {
  'GITHUB-TOKEN': (random) => {
    const classic = pick(random, GITHUB) + chars(random, BASE62, 36);
    const fine = `github_pat_${chars(random, BASE62, 22)}_${chars(random, BASE62, 59)}`;
    return line(pick(random, ['#', 'found # here', 'git clone #']), pick(random, [classic, fine]));
  },
  'NPM-TOKEN': (random) => {
    const token = `npm_${chars(random, BASE62, 36)}`;
    const old = line('//registry.npmjs.org/:_authToken=#', uuid(random));
    return pick(random, [line('#', token), line('//npm.example.org/:_authToken=#', token), old]);
  },
  'SLACK-TOKEN': (random) => {
    const [a, b] = [chars(random, DIGITS, 12), chars(random, DIGITS, 13)];
    const user = `xox${pick(random, ['b', 'p', 'a', 'r', 's', 'e'])}-${a}-${b}-${chars(random, BASE62, 24)}`;
    const app = `xapp-1-A${chars(random, BASE62, 10)}-${b}-${chars(random, HEX, 64)}`;
    return line(pick(random, ['#', 'slack says #']), pick(random, [user, app]));
  },
  'SLACK-WEBHOOK': (random) => {
    const team = `T${chars(random, UPPER, 9)}/B${chars(random, UPPER, 9)}`;
    return line('https://hooks.slack.com/services/#', `${team}/${chars(random, BASE62, 24)}`);
  },
  'ANTHROPIC-KEY': (random) => {
    const kind = pick(random, ['api03', 'admin01', 'oat01']);
    return line('key #', `sk-ant-${kind}-${chars(random, BASE64URL, 93)}AA`);
  },
  'OPENAI-KEY': (random) => {
    const half = () => chars(random, BASE62, 20);
    const kind = pick(random, ['proj', 'svcacct', 'admin']);
    const project = `sk-${kind}-${chars(random, BASE64URL, 74)}T3Blbk${'FJ'}${chars(random, BASE64URL, 74)}`;
    return line('key #', pick(random, [`sk-${half()}T3Blbk${'FJ'}${half()}`, project]));
  },
  'GOOGLE-API-KEY': (random) => line('?key=#&q=1', `AI${'za'}${chars(random, BASE64URL, 35)}`),
  'GOOGLE-OAUTH': (random) => {
    const access = `ya${'29'}.a0${chars(random, BASE64URL, 60 + random(100))}`;
    return line('token #', pick(random, [access, `GOCSPX-${chars(random, BASE64URL, 28)}`]));
  },
  'AWS-ACCESS-KEY': (random) =>
    line('id #', pick(random, ['AKIA', 'ASIA']) + chars(random, `${UPPER}234567`, 16)),
  'AWS-SECRET-KEY': labelled(
    ['aws_secret_access_key', 'secretAccessKey', 'aws-secret-key', 'SecretAccessKey'],
    (random) => `${chars(random, BASE62, 10)}/${chars(random, BASE64, 28)}7`,
  ),
  JWT: (random) => {
    const header = base64url({ alg: 'HS256', typ: 'JWT' });
    const payload = base64url({ sub: chars(random, DIGITS, 10), name: chars(random, BASE62, 12) });
    return line('cookie: session=#', `${header}.${payload}.${chars(random, BASE64URL, 43)}`);
  },
  'URL-PASSWORD': (random) => {
    const scheme = pick(random, ['https', 'postgres', 'mongodb+srv', 'redis', 'amqp', 'ftp']);
    const user = pick(random, ['app', 'admin', 'deploy-user', 'a.b', '']);
    return line(
      `${scheme}://${user}:#@db.example.org:5432/x?y=1`,
      chars(random, `${BASE62}._~!*-`, 6 + random(20)),
    );
  },
  'BASIC-AUTH': (random) => {
    const credentials = base64(`${chars(random, BASE62, 5)}:${password(random)}`);
    return line(
      pick(random, ['Authorization: Basic #', `-H 'authorization: basic #'`]),
      credentials,
    );
  },
  'BEARER-TOKEN': (random) => {
    const templates = [
      'Authorization: Bearer #',
      `-H "Authorization: Bearer #"`,
      'authorization = bearer #',
    ];
    return line(
      pick(random, templates),
      `${chars(random, BASE64URL, 12)}1${chars(random, BASE64URL, 20)}`,
    );
  },
  COOKIE: (random) => {
    const session = `${chars(random, BASE62, 20)}7${chars(random, BASE62, 11)}`;
    return line(
      pick(random, ['Set-Cookie: sid=#; Path=/', 'cookie: sid=#', '"cookie": "sid=#"']),
      session,
    );
  },
  'API-KEY': labelled(
    ['api_key', 'apiKey', 'x-api-key', 'access_key', 'STRIPE_SECRET_KEY', 'encryption_key'],
    key,
  ),
  SECRET: labelled(
    ['client_secret', 'clientSecret', 'access_token', 'authToken', 'secret', 'refresh-token'],
    key,
  ),
  PASSWORD: labelled(
    ['password', 'db_password', 'dbPassword', 'passwd', 'smtp-password', 'pwd'],
    password,
  ),
  'SESSION-ID': (random) =>
    line(
      pick(random, ['PHPSESSID=#', 'sessionId: "#",', 'connect.sid=s:#', '"session_id": "#"']),
      `${chars(random, 'ghijklmnop', 4)}7${chars(random, BASE62, 21)}`,
    ),
  PRIVATE: (random) => {
    const [open, close] = pick(random, [
      ['<private>', '</private>'],
      ['<Private>', '</PRIVATE>'],
      ['<private>', ''],
    ]);
    const inside = `my ${pick(random, ['cat', 'plan', 'bank'])}\nis ${chars(random, BASE62, 8)}`;
    return line(
      `note ${open}#${close}`,
      random(3) === 0 ? `<private>x</private>${inside}` : inside,
    );
  },
  'PRIVATE-KEY': (random) => {
    const { lines, body } = pem(random);
    return { text: lines.join('\n'), secret: body[random(body.length)] ?? '' };
  },
};
