import type { NamedSpan, Rule } from '../rule.ts';
import { isMachineMade, isPassword, isPlaceholder, isSessionId } from '../search/value-test.ts';

/** Secrets that headers, addresses, commands and files tell by what stands around them. */

const row = (
  id: string,
  kind: Rule['kind'],
  keywords: string,
  source: string,
  pattern: string,
  more: Partial<Rule> = {},
): Rule => ({
  id,
  kind,
  // Between blanks; one that has a blank itself says so.
  keywords: keywords.split(' ').map((word) => word.replaceAll('␣', ' ')),
  pattern: new RegExp(pattern, 'diy'),
  source,
  ...more,
});

/** Quoted, or up to white space. */
const ARGUMENT = String.raw`(?:"(?<a>[^"\n]{1,256})"|'(?<b>[^'\n]{1,256})'|(?<secret>[^\s"'\`|;&<>]{1,256}))`;
const isGiven = (secret: string): boolean =>
  !isPlaceholder(secret) && isPassword(secret, 'env') && !secret.startsWith('-');
const isCredential = (secret: string): boolean =>
  secret.length >= 3 && !isPlaceholder(secret) && !/^[$<{%*]/.test(secret);
const command = (keywords: string, programs: string, pattern: string): Rule => ({
  ...row(
    'COMMAND-PASSWORD',
    'word',
    keywords,
    'manual pages',
    `(?<=(?:^|[^\\w.])(?:${programs})\\b(?:[^\\n]|\\\\\\n){0,400})${pattern}`,
    { test: isGiven, before: 480 },
  ),
  keywords: keywords.split('|'),
});

const RFC_HTTP = 'rfc-editor.org/rfc/rfc9110';

/** `Bearer`, and what vendors say in its place. */
function schemeTest(secret: string): boolean {
  return (
    isMachineMade(secret, 'quoted') ||
    (secret.length >= 24 && /\d/.test(secret) && !isPlaceholder(secret))
  );
}

function* cookies(text: string, at: number): Generator<NamedSpan> {
  const window = text.slice(at, at + 4096);
  const header = /^cookies?["'`]?\s{0,4}[:=,]\s{0,4}["'`]?/i.exec(window);
  if (header === null) return;
  const line = /^[^\n\r"'`]*/.exec(window.slice(header[0].length))![0];
  for (const match of line.matchAll(/([\w.-]{1,64})=([^;,\s]{16,4096})/g)) {
    if (!isSessionId(match[2]!, 'quoted')) continue;
    const start = at + header[0].length + match.index + match[1]!.length + 1;
    yield { start, end: start + match[2]!.length, id: 'COOKIE' };
  }
}

/** All of the data of a Kubernetes secret, before or behind what says that it is one. */
function* kubernetes(text: string, at: number): Generator<NamedSpan> {
  if (!/^kind["']?:\s{0,4}["']?Secret\b(?!\w)/i.test(text.slice(at, at + 40))) return;
  const from = Math.max(0, at - KUBERNETES_CHARS);
  const before = text.slice(from, at);
  // As far as the next thing that says what it is, on either side.
  const begin = Math.max(before.lastIndexOf('\n---'), before.lastIndexOf('kind')) + 1;
  const after = text.slice(at + 4, at + KUBERNETES_CHARS);
  const end = after.search(/\n---|\bkind["']?:/);
  const window = `${before.slice(begin)}kind${end < 0 ? after : after.slice(0, end)}`;
  const offset = from + begin;
  for (const data of window.matchAll(/\b(?:data|stringData)["']?:\s{0,40}(?:\{\s{0,40}|\n|\s)/g)) {
    const start = data.index + data[0].length;
    const block = window.slice(start);
    const stop = data[0].includes('{') ? block.indexOf('}') : block.search(/\n[A-Za-z]/);
    const entries = block.slice(0, stop < 0 ? undefined : stop);
    for (const entry of entries.matchAll(
      /(["']?)[\w.-]{1,253}\1:[ \t]{0,8}(?:[|>][-+]?[ \t]*\n[ \t]+)?["']?([^\s"',{}|>][^\n"',}]{2,})/g,
    )) {
      const value = entry[2]!.trimEnd();
      if (isPlaceholder(value)) continue;
      const end =
        offset + start + entry.index + entry[0].length - (entry[2]!.length - value.length);
      yield { start: end - value.length, end, id: 'KUBERNETES-SECRET' };
    }
  }
}
const KUBERNETES_CHARS = 8 * 1024;

const OBJECT_CHARS = 4096;

/** Values in the innermost object around the keyword: its group 1. */
const inObject = (id: string, value: RegExp, test: (secret: string) => boolean) =>
  function* find(text: string, at: number): Generator<NamedSpan> {
    const from = Math.max(text.lastIndexOf('{', at), at - OBJECT_CHARS, 0);
    const inside = text.slice(from, at + OBJECT_CHARS);
    const close = inside.indexOf('}', at - from);
    for (const match of inside.slice(0, close < 0 ? undefined : close).matchAll(value)) {
      if (!test(match[1]!)) continue;
      const end = from + match.index + match[0].length - 1;
      yield { start: end - match[1]!.length, end, id };
    }
  };

export const CONTEXTS: readonly Rule[] = [
  row(
    'BASIC-AUTH',
    'word',
    'basic␣ basic\t',
    'rfc-editor.org/rfc/rfc7617',
    String.raw`basic[ \t]{1,4}(?<secret>[\w+/-]{8,512}={0,2})(?![\w+/=-])`,
    {
      // `user:password` in base64.
      test: (secret) =>
        /^[\x20-\x7e\u0080-\u00ff]+$/.test(Buffer.from(secret, 'base64').toString('latin1')) &&
        Buffer.from(secret, 'base64').toString('latin1').includes(':'),
    },
  ),
  row(
    'BEARER-TOKEN',
    'word',
    'bearer␣ bearer\t',
    'rfc-editor.org/rfc/rfc6750',
    String.raw`bearer[ \t]{1,4}(?<secret>[\w.~+/=:-]{16,4096})`,
    { test: schemeTest, reach: 4200 },
  ),
  row(
    'AUTHORIZATION',
    'word',
    'authorization',
    RFC_HTTP,
    String.raw`authorization["'\`\])]{0,3}\s{0,4}(?:[:=,]|=>)\s{0,4}["'\`]?(?:(?:Bearer|Basic|Token|Bot|ApiKey|Api-Token|Key|Digest|SharedKey \w+:|OAuth|GenieKey|SSWS|Splunk|token)[ \t=:]{1,4})?(?<secret>[^\s"'\`<>{}$(),;]{8,4096})`,
    { test: schemeTest, reach: 4200 },
  ),
  {
    id: 'COOKIE',
    kind: 'word',
    keywords: ['cookie'],
    find: cookies,
    source: 'rfc-editor.org/rfc/rfc6265',
  },
  row(
    'URL-PASSWORD',
    'word',
    '://',
    'rfc-editor.org/rfc/rfc3986',
    String.raw`:\/\/(?:[^\s:/?#@"'\`<>[\]{}\\]{0,128}):(?<secret>[^\s@"'\`<>\\]{1,256}?)@(?=[\w\[.-])`,
    { test: (secret) => isCredential(secret) && !/^\d{1,5}\//.test(secret) },
  ),
  row(
    'URL-PASSWORD',
    'word',
    '@tcp( @unix(',
    'github.com/go-sql-driver/mysql',
    String.raw`(?<=[\w.-]{1,64}:(?<secret>[^\s:@"'\`/]{3,128}))@(?:tcp|unix)\(`,
    { test: isCredential },
  ),
  command(
    '-u |--user|-u"|-u\'',
    'curl|http|https|wget|twine|lftp|xh',
    String.raw`(?:-u|--user)[ =]{0,3}(?:"[^\s":]{1,128}:(?<a>[^"\n]{1,256})"|'[^\s':]{1,128}:(?<b>[^'\n]{1,256})'|[^\s:"']{1,128}:(?<secret>[^\s"'\`]{1,256}))`,
  ),
  command(
    ' -a ',
    'http|https|xh',
    String.raw` -a[ ]{1,3}[^\s:"']{1,128}:(?<secret>[^\s"'\`]{1,256})`,
  ),
  command(
    ' -p',
    'mysql|mysqldump|mysqladmin|mariadb|mariadb-dump|sshpass|7z|7za|unrar|zip',
    String.raw` -p[ ]?${ARGUMENT}`,
  ),
  command(
    ' -p ',
    'docker login|podman login|helm registry login|az login|twine|buildah login|skopeo login|mongo|mongosh|mongodump',
    String.raw` -p[ ]{1,3}${ARGUMENT}`,
  ),
  command(' -a ', 'redis-cli|valkey-cli', String.raw` -a[ ]{1,3}${ARGUMENT}`),
  command(
    '-u',
    'smbclient|rpcclient|net',
    String.raw`-U[ ]{0,3}["']?[\w.\\-]{1,64}%(?<secret>[^\s"']{1,128})`,
  ),
  command('pass:', 'openssl', String.raw`pass:(?<secret>[^\s"']{1,256})`),
  command(' -k ', 'openssl enc', String.raw` -k[ ]{1,3}${ARGUMENT}`),
  command(' -b|--body', 'gh secret set', String.raw`(?:-b|--body)[ =]{1,3}${ARGUMENT}`),
  command(
    '--from-literal',
    'kubectl',
    String.raw`--from-literal[ =]["']?[\w.-]{1,128}=${ARGUMENT}`,
  ),
  command(
    '--set',
    'helm',
    String.raw`--set(?:-string)?[ =]["']?[\w.-]{0,128}(?:pass|secret|token|key)\w{0,32}=${ARGUMENT}`,
  ),
  row(
    'NETRC-PASSWORD',
    'word',
    'machine␣ default␣login',
    'gnu.org/software/inetutils/manual',
    String.raw`(?:machine\s{1,16}\S{1,128}|default)(?:\s{1,16}(?:login|account)\s{1,16}\S{1,128}){0,2}\s{1,16}password\s{1,16}(?<secret>\S{1,256})`,
    { test: isCredential, lines: true },
  ),
  row(
    'PGPASS',
    'word',
    ':5432: :6432: :*:',
    'postgresql.org/docs/current/libpq-pgpass.html',
    String.raw`:(?:\d{2,5}|\*):[^:\s]{1,64}:[^:\s]{1,64}:(?<secret>[^:\s"']{3,128})(?=[\s"'\\]|$)`,
    { test: isGiven },
  ),
  row(
    'REDIS-PASSWORD',
    'word',
    'requirepass masterauth',
    'redis.io/docs',
    String.raw`(?:requirepass|masterauth)[ \t]{1,8}["']?(?<secret>[^\s"'\\]{4,256})`,
    { test: isGiven, lines: true },
  ),
  row(
    'SQL-PASSWORD',
    'word',
    'identified password',
    'the databases’ manuals',
    String.raw`(?:identified(?: with \w{1,40})? by|password|password\()[ \t]{0,8}(?:=[ \t]{0,4})?N?'(?<secret>[^'\n]{4,256})'`,
    { test: (secret) => isPassword(secret, 'quoted') && !/\s/.test(secret) },
  ),
  row(
    'SECURE-STRING',
    'word',
    'securestring',
    'docs.aws.amazon.com/systems-manager',
    String.raw`securestring["']?(?:[\s,]{1,40}["']?value["']?\s{0,4}[:=]\s{0,4}["']?|\t)(?<secret>[^\s"',]{4,2048})`,
    { test: isCredential, lines: true, reach: 2200 },
  ),
  row(
    'SECURE-STRING',
    'word',
    'convertto-securestring',
    'learn.microsoft.com/powershell',
    String.raw`convertto-securestring[ ]{1,4}(?:-String[ ]{1,4})?["'](?<secret>[^"'\n]{4,256})["']`,
    { test: isGiven },
  ),
  row(
    'TERRAFORM-VALUE',
    'word',
    'random_password sensitive␣',
    'developer.hashicorp.com/terraform',
    String.raw`(?:random_password[^]{0,200}?["'\s]result|sensitive["']?\s{0,4}=\s{0,4}true\s{1,40}default)["']?\s{0,8}[=:]\s{0,8}["'](?<secret>[^"'\n]{4,512})`,
    { test: isGiven, lines: true },
  ),
  row(
    'TERRAFORM-VALUE',
    'word',
    'sensitive"',
    'developer.hashicorp.com/terraform',
    String.raw`(?<="value"\s{0,4}:\s{0,4}"(?<secret>[^"\n]{8,400})",\s{0,40}"type"\s{0,4}:\s{0,4}"string",\s{0,40}")sensitive"\s{0,4}:\s{0,4}true`,
    { test: isCredential, before: 600 },
  ),
  row(
    'CI-SECRET',
    'word',
    'task.setsecret] issecret=true',
    'learn.microsoft.com/azure/devops',
    String.raw`(?:task\.setsecret|issecret=true[^\]\n]{0,80})\](?<secret>[^\s"']{4,512})`,
    { test: isCredential },
  ),
  row(
    'HTTP-COOKIE',
    'word',
    '#httponly_',
    'curl.se/docs/http-cookies.html',
    String.raw`#httponly_[^\t\n]{1,128}(?:\t[^\t\n]{0,256}){5}\t(?<secret>[^\t\n]{8,4096})`,
    { reach: 4600, test: isCredential },
  ),
  row(
    'JENKINS-SECRET',
    'word',
    '{aqaaabaaa',
    'www.jenkins.io/doc',
    String.raw`\{AQAAABAAA[^{}<>\n]{8,4096}\}`,
    { reach: 4200 },
  ),
  {
    id: 'JWK',
    kind: 'word',
    keywords: ['kty'],
    find: inObject(
      'JWK',
      /["'](?:k|d|p|q|dp|dq|qi)["']\s{0,8}:\s{0,8}["']([\w-]{16,2048})["']/g,
      isCredential,
    ),
    lines: true,
    source: 'rfc-editor.org/rfc/rfc7517',
  },
  {
    // As browsers and what drives them keep them.
    id: 'COOKIE',
    kind: 'word',
    keywords: ['httponly'],
    find: inObject('COOKIE', /["']value["']\s{0,8}:\s{0,8}["']([^\s"']{16,4096})["']/g, (secret) =>
      isSessionId(secret, 'quoted'),
    ),
    source: 'developer.chrome.com/docs/extensions/reference/api/cookies',
  },
  {
    id: 'KUBERNETES-SECRET',
    kind: 'word',
    keywords: ['kind:', 'kind"'],
    find: kubernetes,
    lines: true,
    source: 'kubernetes.io/docs/concepts/configuration/secret',
  },
];
