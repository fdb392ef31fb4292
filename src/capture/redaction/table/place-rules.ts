import { atLeast, SLASH, UUID } from '../fragments.ts';
import * as KIND from '../kinds.ts';
import { tokenAt } from '../prose-value.ts';
import type { RedactionRule, Span } from '../rule.ts';
import { isPassword, isPlaceholder } from '../values.ts';
import { ANY, behindLead, signedRule } from './signed-rule.ts';

/** The name of what Terraform changes, when that is a secret. */
const TF_NAME =
  '(?:password|passphrase|secret|token|(?:api|access|secret|private|auth)_?key|connection_string)';

/** White space, also as the escapes of it. */
const SP = '(?:\\s|\\\\[nrt]){1,16}';

/** Behind what stands in front of a secret, unless an example stands there. */
function unlessExample(text: string, match: RegExpExecArray): Span | undefined {
  const span = behindLead(text, match);
  return isPlaceholder(text.slice(span.start, span.end)) ? undefined : span;
}

/** Secrets that neither a beginning nor a label tells, but what stands around or inside them. */
export const PLACE_RULES: readonly RedactionRule[] = [
  // docs.npmjs.com, .npmrc: `//registry/:_authToken=`, `:_auth=`, `:_password=`, in old files without the registry; the
  // value may be a UUID.
  signedRule(
    'NPM-TOKEN',
    KIND.npmrc,
    ANY,
    `(/:_(?:authToken|auth|password)(?:[ \\t]{0,4}=[ \\t]{0,4}|[ \\t]{1,4})["']?|(?:^(?:[-+ ]|[ \\t]{0,8}\\d{1,7}[:\\t\u2192])?|\\\\n)_(?:authToken|auth|password)[ \\t]{0,4}=[ \\t]{0,4}["']?)${atLeast(8, '^\\s"\'$(){}<>\\\\')}`,
    'gm',
  ),
  // learn.microsoft.com, appsettings.json: what signs tokens is called `Key` below `Jwt`
  signedRule(
    'SECRET',
    KIND.place,
    ['"Jwt'],
    `("Jwt\\w{0,20}": ?\\{[^{}]{0,400}?"Key": ?")[^"\\s]{16,}`,
    'g',
    unlessExample,
  ),
  // docs.slack.dev, incoming webhooks: the path is the credential.
  signedRule(
    'SLACK-WEBHOOK',
    KIND.place,
    ['hooks.slack'],
    `(hooks\\.slack(?:-gov)?\\.com${SLASH}(?:services|workflows|triggers)${SLASH})[A-Z][A-Z0-9]{5,20}(?:${SLASH}[A-Za-z0-9]{5,64}){1,3}`,
  ),
  // discord.com/developers/docs/resources/webhook
  signedRule(
    'DISCORD-WEBHOOK',
    KIND.place,
    ['webhooks/', 'webhooks\\', 'webhooks%'],
    `(discord(?:app)?\\.com${SLASH}api${SLASH}(?:v\\d{1,2}${SLASH})?webhooks${SLASH}\\d{15,21}${SLASH})${atLeast(50, '\\w-')}`,
  ),
  // learn.microsoft.com, incoming webhooks of Teams
  signedRule(
    'TEAMS-WEBHOOK',
    KIND.place,
    ['webhookb2'],
    `(webhookb2${SLASH})${UUID}@${UUID}${SLASH}IncomingWebhook${SLASH}[0-9a-f]{32}${SLASH}${UUID}(?:${SLASH}[\\w-]{10,100})?`,
  ),
  signedRule(
    'ZAPIER-WEBHOOK',
    KIND.place,
    ['hooks.zapier'],
    `(hooks\\.zapier\\.com${SLASH}hooks${SLASH}catch${SLASH})\\d{3,12}${SLASH}[A-Za-z0-9]{5,32}`,
  ),
  signedRule(
    'IFTTT-WEBHOOK',
    KIND.place,
    ['maker.ifttt'],
    `(maker\\.ifttt\\.com${SLASH}trigger${SLASH}[\\w-]{1,64}${SLASH}(?:json${SLASH})?with${SLASH}key${SLASH})${atLeast(20, '\\w-')}`,
  ),
  signedRule(
    'MAKE-WEBHOOK',
    KIND.place,
    ['.make.com'],
    `(hook\\.[a-z0-9]{2,6}\\.make\\.com${SLASH})[a-z0-9]{28,40}`,
  ),
  // learn.microsoft.com, Entra client secrets: 3, a digit, Q~, 31 to 34
  signedRule(
    'AZURE-CLIENT-SECRET',
    KIND.place,
    [...'0123456789'].map((digit) => `${digit}Q~`),
    '(?<![\\w~.-])[\\w~.]{3}\\dQ~[\\w~.-]{31,34}(?![\\w~-])',
  ),
  // developer.hashicorp.com, API tokens of HCP Terraform
  signedRule(
    'TERRAFORM-TOKEN',
    KIND.place,
    ['.atlasv1.'],
    `(?<![A-Za-z0-9])[A-Za-z0-9]{14}\\.atlasv1\\.${atLeast(60, '\\w=-')}`,
  ),
  // docs.redhat.com, OAuth tokens of OpenShift
  signedRule('OPENSHIFT-TOKEN', KIND.place, ['sha256~'], 'sha256~[\\w-]{43}(?![\\w-])'),
  // support.maxmind.com: license keys
  signedRule(
    'MAXMIND-KEY',
    KIND.place,
    ['_mmk'],
    '(?<![A-Za-z0-9])[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk(?![A-Za-z0-9])',
  ),
  // developer.paypal.com/braintree: access tokens
  signedRule(
    'BRAINTREE-TOKEN',
    KIND.place,
    ['access_token$'],
    'access_token\\$(?:production|sandbox)\\$[0-9a-z]{16}\\$[0-9a-f]{32}(?![0-9a-z])',
  ),
  // learn.microsoft.com: shared access signatures; docs.aws.amazon.com and cloud.google.com: signed URLs
  signedRule(
    'URL-SIGNATURE',
    KIND.signedUrl,
    ['sig=', 'sig%3'],
    `((?:[?&;"']|%26|%3F|\\bse=[^\\s"']{0,64}&)sig(?:=|%3[Dd]))(?:[\\w+/=~-]|%[0-9A-Fa-f]{2}){40,200}`,
  ),
  signedRule(
    'URL-SIGNATURE',
    KIND.signedUrl,
    ['ignature='],
    '(X-(?:Amz|Goog|Oss)-Signature=)[0-9a-f]{40,1024}',
    'gi',
  ),
  signedRule(
    'URL-SIGNATURE',
    KIND.signedUrl,
    ['ity-Token=', 'ity-token='],
    `(X-Amz-Security-Token=)${atLeast(40, '\\w+/=%-')}`,
    'gi',
  ),
  // openweathermap.org, weatherapi.com, docs.maptiler.com: `appid=` and `key=` in a URL, also where its signs are escaped
  signedRule(
    'API-KEY',
    KIND.keyInUrl,
    ANY,
    `(?:[?&]|amp;|#38;|(?:%|x|u00)(?:26|3f))(?:key|appid)=(?!${UUID}(?![\\w-]))(?=[\\w+/%-]{20})`,
    'gi',
    (text, match) => tokenAt(text, match.index + match[0].length),
  ),
  // httpd.apache.org, htpasswd; man 5 crypt: what a stolen file is searched for passwords by.
  signedRule(
    'PASSWORD-HASH',
    KIND.hash,
    ['$apr1$', '$1$', '$5$', '$6$', '$2a$', '$2b$', '$2y$', '$argon2', '$y$'],
    '\\$(?:apr1[$]{1,2}[./0-9A-Za-z]{1,8}[$]{1,2}[./0-9A-Za-z]{22}|2[aby][$]{1,2}\\d\\d[$]{1,2}[./0-9A-Za-z]{53}|[56]\\$(?:rounds=\\d{1,9}\\$)?[./0-9A-Za-z]{1,16}\\$(?:[./0-9A-Za-z]{86}|[./0-9A-Za-z]{43})|1\\$[./0-9A-Za-z]{1,8}\\$[./0-9A-Za-z]{22}|argon2(?:id?|d)\\$(?:v=\\d{1,3}\\$)?[mtp=,\\d]{5,40}\\$[A-Za-z0-9+/]{8,88}\\$[A-Za-z0-9+/]{16,128}|y\\$[./0-9A-Za-z]{1,8}\\$[./0-9A-Za-z]{1,86}\\$[./0-9A-Za-z]{43})',
  ),
  // docs.djangoproject.com: stored passwords; httpd.apache.org and RFC 2307: {SHA}, {SSHA}
  signedRule(
    'PASSWORD-HASH',
    KIND.hash,
    ['_sha256$', '{SHA}', '{SSHA'],
    '(?:pbkdf2_sha256\\$\\d{4,8}\\$[A-Za-z0-9]{8,64}\\$[A-Za-z0-9+/]{43}=|(?<=\\{S?SHA\\})[A-Za-z0-9+/]{27,64}={0,2})',
  ),
  // postgresql.org, .pgpass: host:port:database:user:password; two numbers are the dates or ids of /etc/shadow and passwd
  signedRule(
    'PGPASS-PASSWORD',
    KIND.pgpass,
    ANY,
    `((?:^|\\\\n|(?:\\b|(?<=\\\\[nrt]))echo (?:\\\\{0,3}["'])?)[+-]?[ \\t]{0,8}(?:[\\w.*-]{1,253}|\\[[0-9a-f:]{2,45}\\]):(?:\\d{2,5}|\\*):(?!\\d{1,9}:\\d{1,9}:)[^:\\s\\\\]{1,63}:[^:\\s\\\\]{1,63}:)[^\\s"'\\\\]{3,256}`,
    'gm',
    unlessExample,
  ),
  // gnu.org, inetutils: .netrc
  signedRule(
    'NETRC-PASSWORD',
    KIND.netrc,
    ANY,
    `((?:machine${SP}[^\\s\\\\]{1,253}|default)${SP}(?:login${SP}[^\\s\\\\]{1,128}${SP})?(?:account${SP}[^\\s\\\\]{1,128}${SP})?password${SP})[^\\s"'\\\\]{3,256}`,
    'g',
    unlessExample,
  ),
  // github.com/go-sql-driver/mysql: user:password@tcp(host)
  signedRule(
    'CONNECTION-PASSWORD',
    KIND.setting,
    ['@tcp(', '@unix('],
    '((?<![\\w.-])[\\w.-]{1,64}:)[^\\s"\'`@/\\\\]{3,128}(?=@(?:tcp|unix)\\()',
    'g',
    unlessExample,
  ),
  // docs.oracle.com: jdbc:oracle:thin:user/password@
  signedRule(
    'CONNECTION-PASSWORD',
    KIND.setting,
    [':thin:'],
    '(:thin:[\\w.-]{1,64}/)[^\\s"\'`@/\\\\]{3,128}(?=@)',
    'g',
    unlessExample,
  ),
  // redis.io, redis.conf
  signedRule(
    'PASSWORD',
    KIND.setting,
    ['requirepass ', 'masterauth '],
    '((?:^|\\n|\\\\n|--|\\b(?:set|SET) )(?:requirepass|masterauth)[ \\t]{1,8}"?)[^\\s"\\\\]{4,512}',
    'g',
    unlessExample,
  ),
  // openldap.org, slapd.conf and ldap.conf; Anaconda's kickstart
  signedRule(
    'PASSWORD',
    KIND.setting,
    ['rootpw ', 'bindpw '],
    '((?:^|\\n|\\\\n)[ \\t]{0,8}(?:rootpw|bindpw)[ \\t]{1,8}(?:--plaintext[ \\t]{1,8})?"?)(?![-{])[^\\s"\\\\]{4,512}',
    'g',
    unlessExample,
  ),
  // redis.io, redis-cli: AUTH [user] …; RFC 4954: AUTH PLAIN …
  signedRule(
    'PASSWORD',
    KIND.setting,
    ['> AUTH ', '> auth ', 'C: AUTH '],
    '((?:(?:> |C: )AUTH|[\\d\\]]> auth) (?:[\\w.-]{1,64} )?"?)[^\\s"\\\\]{6,512}(?="?[ \\t]{0,8}(?:$|[\\r\\n]|\\\\))',
    'g',
    (text, match) => {
      const span = behindLead(text, match);
      const value = text.slice(span.start, span.end);
      // `AUTH LOGIN`
      return isPassword(value, 'quoted') && !/^[A-Z\d-]+$/.test(value) ? span : undefined;
    },
  ),
  // docs.github.com: a token in the place of the user
  signedRule(
    'URL-PASSWORD',
    KIND.setting,
    [':x-oauth-b'],
    '(://)[^\\s:@/]{16,256}(?=:x-oauth-basic@)',
  ),
  // The same of a token alone, as `git remote -v` prints it.
  signedRule(
    'URL-PASSWORD',
    KIND.setting,
    ['@github.com/', '@gitlab.', '@bitbucket.org/'],
    '(://)(?=[\\w-]{0,64}\\d)[\\w-]{20,256}(?=@(?:github\\.com|gitlab\\.[\\w.-]{2,64}|bitbucket\\.org)/)',
    'g',
    unlessExample,
  ),
  // developer.hashicorp.com: a value that a plan changes is shown before and after
  signedRule(
    'TERRAFORM-VALUE',
    KIND.setting,
    ['" -> '],
    `(${TF_NAME}\\\\{0,7}"?[ \\t]{1,60}=[ \\t]{1,4}\\\\{0,7}"[^"\\n]{0,1024}" -> \\\\{0,7}")[^"\\\\\\n]{4,4096}`,
    'gi',
    unlessExample,
  ),
  // docs.docker.com: config.json, base64 of user:password
  signedRule(
    'DOCKER-AUTH',
    KIND.setting,
    ['auth":', 'auth" :', 'auth\\'],
    '(\\\\{0,7}"auth\\\\{0,7}"\\s{0,8}:\\s{0,8}\\\\{0,7}")(?:[A-Za-z0-9+/]|\\\\/){8,1024}={0,2}(?=\\\\{0,7}")',
    'g',
    (text, match) => {
      const span = behindLead(text, match);
      const value = text.slice(span.start, span.end).replaceAll('\\', '');
      const plain = Buffer.from(value, 'base64').toString('latin1');
      return /^[\x21-\x7e]{1,256}:[\x20-\x7e]+$/.test(plain) ? span : undefined;
    },
  ),
];
