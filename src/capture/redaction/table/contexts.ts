import type { NamedSpan, Rule } from '../rule.ts';
import { isMachineMade, isPassword, isPlaceholder, isSessionId } from '../search/value-test.ts';
import { isCredential, isGiven, row } from './row.ts';

/** Secrets that headers, addresses and files tell by what stands around them. */

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

export const CONTEXTS: readonly Rule[] = [
  row(
    'BASIC-AUTH',
    'word',
    'basic |basic\t',
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
    'bearer |bearer\t',
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
    kind: 'label',
    keywords: ['cookie'],
    run: 16,
    find: cookies,
    source: 'rfc-editor.org/rfc/rfc6265',
  },
  row(
    'URL-PASSWORD',
    'word',
    '://|%3a%2f%2f',
    'rfc-editor.org/rfc/rfc3986',
    String.raw`:\/\/(?:[^\s:/?#@"'\`<>[\]{}\\]{0,128}):(?<secret>[^\s@"'\`<>\\]{1,256}?)@(?=[\w\[.-])`,
    { test: (secret) => isCredential(secret) && !/^\d{1,5}\//.test(secret) },
  ),
  row(
    'URL-PASSWORD',
    'word',
    '@tcp(|@unix(',
    'github.com/go-sql-driver/mysql',
    String.raw`(?<=[\w.-]{1,64}:(?<secret>[^\s:@"'\`/]{3,128}))@(?:tcp|unix)\(`,
    { test: isCredential },
  ),
  row(
    'NETRC-PASSWORD',
    'word',
    'machine |default login',
    'gnu.org/software/inetutils/manual',
    String.raw`(?:machine\s{1,16}\S{1,128}|default)(?:\s{1,16}(?:login|account)\s{1,16}\S{1,128}){0,2}\s{1,16}password\s{1,16}(?<secret>\S{1,256})`,
    { test: isCredential, lines: 1024 },
  ),
  row(
    'PGPASS',
    'word',
    ':5432:|:6432:|:*:',
    'postgresql.org/docs/current/libpq-pgpass.html',
    String.raw`:(?:\d{2,5}|\*):[^:\s]{1,64}:[^:\s]{1,64}:(?<secret>[^:\s"']{3,128})(?=[\s"'\\]|$)`,
    { test: isGiven },
  ),
  row(
    'REDIS-PASSWORD',
    'word',
    'requirepass|masterauth',
    'redis.io/docs',
    String.raw`(?:requirepass|masterauth)[ \t]{1,8}["']?(?<secret>[^\s"'\\]{4,256})`,
    { test: isGiven, lines: 1024 },
  ),
  row(
    'SQL-PASSWORD',
    'word',
    'identified|password',
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
    { test: isCredential, lines: 2200, reach: 2200 },
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
    'random_password|sensitive ',
    'developer.hashicorp.com/terraform',
    String.raw`(?:random_password[^]{0,200}?["'\s]result|sensitive["']?\s{0,4}=\s{0,4}true\s{1,40}default)["']?\s{0,8}[=:]\s{0,8}["'](?<secret>[^"'\n]{4,512})`,
    { test: isGiven, lines: 1024 },
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
    'task.setsecret]|issecret=true',
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
];
