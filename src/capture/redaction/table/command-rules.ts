import * as KIND from '../kinds.ts';
import type { RedactionRule, Span } from '../rule.ts';
import { isMachineSecret, isPlaceholder } from '../values.ts';
import { behindLead, signedRule } from './signed-rule.ts';

/** How far before an option its command may stand, characters. */
const COMMAND_CHARS_MAX = 400;
/** A value on a command line, in quotation marks or not: `ownValue` says where it ends. */
const VALUE = '[^\\s`\\\\]{1,256}';
/** The next option is no value. */
const NO_OPTION = '(?:(?<=["\'])|(?![\\s-]))';
/** The shortest secret. */
const VALUE_CHARS_MIN = 3;
/** What ends a value that is in no marks. */
const OPERATOR = /[;|&<>()"']/;
/** The longest value in marks. */
const QUOTED_CHARS_MAX = 256;
const QUOTE = '\\\\{0,3}["\']?';

/** What stands between the command and its option: no other command. */
const commandBefore = (text: string, at: number): string => {
  const before = text.slice(Math.max(0, at - COMMAND_CHARS_MAX), at);
  return before.slice(
    Math.max(
      before.lastIndexOf('\n'),
      before.lastIndexOf('&&'),
      before.lastIndexOf('| '),
      before.lastIndexOf('; '),
    ) + 1,
  );
};

/** The value behind the lead: up to the mark that closes the one in the lead, or as far as a bare word goes. */
function ownValue(text: string, match: RegExpExecArray): Span | undefined {
  const { start, end } = behindLead(text, match);
  const open = /(\\{0,3})(["'])[^"']*$/.exec(match[1] ?? '');
  const line = text.slice(start, start + QUOTED_CHARS_MAX).split(/[\r\n]/, 1)[0] ?? '';
  const close = open === null ? -1 : line.indexOf(`${open[1]}${open[2]}`);
  const operator = text.slice(start, end).search(OPERATOR);
  const chars = close >= 0 ? close : operator;
  const until = chars < 0 ? end : start + chars;
  const isLong = until - start >= VALUE_CHARS_MIN;
  return isLong && !isPlaceholder(text.slice(start, until)) ? { start, end: until } : undefined;
}

/** The value behind an option, when the command before it is one of these. */
const of =
  (commands: RegExp) =>
  (text: string, match: RegExpExecArray): Span | undefined => {
    const line = continued(text, match.index);
    return commands.test(line) ? ownValue(text, match) : undefined;
  };

/** A command may go on over lines that end in a backslash. */
function continued(text: string, at: number): string {
  const own = commandBefore(text, at);
  const start = at - own.length;
  const isContinued = start > 1 && /\\\s{0,2}$/.test(text.slice(Math.max(0, start - 3), start));
  return isContinued ? commandBefore(text, start - 1).concat(own) : own;
}

const CURL = /\b(?:curl|wget|http|https|xh)\b/;
const HTTPIE = /(?:^|[\s;|&$(`])(?:http|https)(?: |$)/;

/** Credentials as arguments of the commands that take them so. */
export const COMMAND_RULES: readonly RedactionRule[] = [
  // curl -u user:password, --user, --proxy-user
  signedRule(
    'COMMAND-PASSWORD',
    KIND.command,
    `(\\s(?:-[a-zA-Z]{0,4}[uU]|--user|--proxy-user)(?:[ =]{0,2})${QUOTE}[^\\s:"'\\\\]{1,128}:)${VALUE}`,
    'g',
    of(CURL),
  ),
  // curl -b name=value
  signedRule(
    'COOKIE',
    KIND.command,
    `(\\s(?:-b|--cookie)[ =]{0,2}${QUOTE}[\\w.-]{1,64}=)[^\\s"'\\\\]{8,4096}`,
    'g',
    of(CURL),
  ),
  // docker login -p, and those with the same options
  signedRule(
    'COMMAND-PASSWORD',
    KIND.command,
    `(\\s(?:-p|--password)[ =]${QUOTE})${NO_OPTION}${VALUE}`,
    'g',
    of(
      /\b(?:docker|podman|buildah|nerdctl|skopeo|crane|helm|oras|az|oc|cf|argocd|vault)\b.*\slogin\b/,
    ),
  ),
  signedRule(
    'COMMAND-PASSWORD',
    KIND.command,
    `(\\s-p${QUOTE})${NO_OPTION}${VALUE}`,
    'g',
    of(/\b(?:docker|podman|buildah|nerdctl|skopeo|crane|helm|oras)\b.*\slogin\b/),
  ),
  // mysql -pSECRET: no space between them
  signedRule(
    'COMMAND-PASSWORD',
    KIND.command,
    `(\\s(?:-p|--password=)${QUOTE})${NO_OPTION}${VALUE}`,
    'g',
    of(/\b(?:mysql(?:dump|admin|import|show|check|pump|sh)?|mariadb(?:-\w{1,16})?)\b/),
  ),
  signedRule(
    'COMMAND-PASSWORD',
    KIND.command,
    `(\\s-p ?${QUOTE})${NO_OPTION}${VALUE}`,
    'g',
    of(/\bsshpass\b/),
  ),
  signedRule(
    'COMMAND-PASSWORD',
    KIND.command,
    `(\\s(?:-a|--pass) ${QUOTE})${NO_OPTION}${VALUE}`,
    'g',
    of(/\bredis-cli\b/),
  ),
  // sqlcmd -P, with or without a space
  signedRule(
    'COMMAND-PASSWORD',
    KIND.command,
    `(\\s-P ?${QUOTE})${NO_OPTION}${VALUE}`,
    'g',
    of(/\b(?:sqlcmd|osql|bcp)\b/),
  ),
  // httpie.io: -a user:password; samba.org: -U user%password
  ...[
    [`-a[ =]?${QUOTE}[^\\s:"'\\\\]{1,128}:`, HTTPIE] as const,
    [`-U ?${QUOTE}[^\\s%"'\\\\]{1,128}%`, /\bsmbclient\b/] as const,
    [`-p${QUOTE}`, /\b7z\b/] as const,
    // lftp.yar.ru: user,password; learn.microsoft.com: net use
    [`-u ${QUOTE}[^\\s,"'\\\\]{1,128},`, /\blftp\b/] as const,
    [`/user:\\S{1,128} ${QUOTE}(?!/)`, /\bnet use\b/i] as const,
    [`password ${QUOTE}`, /\bnmcli\b/] as const,
    [`/p ${QUOTE}`, /\bsigntool\b/i] as const,
    [`/rp ${QUOTE}`, /\bschtasks\b/i] as const,
    [`(?:add_user|change_password) [^\\s-]\\S{0,64} ${QUOTE}`, /\brabbitmqctl\b/] as const,
    [`set [\\w-]{1,64} https?://\\S{1,128} \\S{1,128} ${QUOTE}`, /\bmc alias\b/] as const,
  ].map(([lead, commands]) =>
    signedRule('COMMAND-PASSWORD', KIND.command, `(\\s${lead})${VALUE}`, 'g', of(commands)),
  ),
  // mongosh -p, --password: the latter has a label; gh secret set NAME -b …: what it sets is a secret
  ...[
    ['-p', /\b(?:twine|beeline)\b/] as const,
    ['-[NP]', /\bssh-keygen\b/] as const,
    ['-[pP]', /\bsecurity (?:unlock-keychain|create-keychain|import|export)\b/] as const,
    ['-p', /\bpsexec(?:64)?(?:\.exe)?\b/i] as const,
    ['-p', /\baz (?:sql|mysql|postgres|synapse)\b/] as const,
    ['-P', /\b(?:un)?zip\b/] as const,
    ['(?:-b|--body)', /\bsecret set\b/] as const,
    ['-p', /\bmongo(?:sh|dump|restore|import|export)?\b/] as const,
    ['-w', /\bldap(?:search|modify|add|delete|passwd|whoami)\b/] as const,
    ['-(?:(?:src|dest)?store|key)pass', /\bkeytool\b/] as const,
    ['-k', /\bopenssl\b/] as const,
    [
      '-[a-zA-Z]{0,4}b[a-zA-Z]{0,4}(?: -[A-Za-z]{1,4}){0,4} [^\\s-]\\S{0,200} [^\\s-]\\S{0,64}',
      /\bhtpasswd\b/,
    ] as const,
  ].map(([option, commands]) =>
    signedRule(
      'COMMAND-PASSWORD',
      KIND.command,
      `(\\s${option} ${QUOTE})${NO_OPTION}${VALUE}`,
      'g',
      of(commands),
    ),
  ),
  // docs.oracle.com: user/password@host
  signedRule(
    'COMMAND-PASSWORD',
    KIND.command,
    `(\\s${QUOTE}[\\w$#.-]{1,64}/)[^\\s"'@/\\\\]{3,128}(?=[\\s@"']|$)`,
    'g',
    of(/\b(?:sqlplus|sqlldr|expdp|impdp)\b/),
  ),
  // openssl -passin pass:…
  signedRule(
    'COMMAND-PASSWORD',
    KIND.setting,
    `(-pass(?:in|out)? ${QUOTE}pass:)${VALUE}`,
    'g',
    ownValue,
  ),
  // python-poetry.org: poetry config http-basic.<name> <user> <password>, pypi-token.<name> <token>
  ...[
    `http-basic\\.[\\w.-]{1,64} ${QUOTE}[^\\s"'\\\\]{1,128}["']?`,
    'pypi-token\\.[\\w-]{1,64}',
  ].map((lead) =>
    signedRule(
      'COMMAND-PASSWORD',
      KIND.setting,
      `(\\b${lead} ${QUOTE})${NO_OPTION}${VALUE}`,
      'g',
      ownValue,
    ),
  ),
  // docs.npmjs.com, yarnpkg.com: config set; learn.microsoft.com: dotnet user-secrets set
  ...[
    '\\bconfig set ["\']?(?:[\\w@./:-]{0,128}(?:_auth|_password|[Tt]oken|Password|Secret))["\']?[ =]',
    '\\buser-secrets set ["\']?[\\w.:-]{1,128}["\']? ',
  ].map((lead) =>
    signedRule(
      'COMMAND-PASSWORD',
      KIND.setting,
      `(${lead}${QUOTE})${NO_OPTION}${VALUE}`,
      'g',
      ownValue,
    ),
  ),
  // kubectl create secret generic … --from-literal=name=value: all of them are secrets
  signedRule(
    'KUBERNETES-SECRET',
    KIND.setting,
    `(--from-literal[ =]${QUOTE}[\\w.-]{1,128}=)${VALUE}`,
    'g',
    ownValue,
  ),
  // aws configure set aws_secret_access_key …
  signedRule(
    'AWS-SECRET-KEY',
    KIND.setting,
    `(configure set (?:aws_secret_access_key|aws_session_token) ${QUOTE})[\\w/+=]{20,2048}`,
  ),
];

const isConnection = (text: string, at: number): boolean =>
  /(?:server|data source|host|user id|uid|user|database)=[^;&]{1,200}[;&?]|jdbc:[a-z]/i.test(
    text.slice(Math.max(0, at - COMMAND_CHARS_MAX), at + 1),
  );

const CONNECTION_LEAD = `([;?&"'][ \\t]{0,4}(?:password|pwd)[ \\t]{0,2}=[ \\t]{0,2}`;

/** The password of a connection string whose other parts stand before it: ADO, ODBC, JDBC. */
export const CONNECTION_RULES: readonly RedactionRule[] = [
  signedRule(
    'CONNECTION-PASSWORD',
    KIND.connection,
    `${CONNECTION_LEAD})[^\\s;&"'\\\\<>{}$()]{1,256}(?=[;&"'\\\\\\s]|$)`,
    'gi',
    (text, match) => {
      const span = behindLead(text, match);
      const isOne = isConnection(text, match.index);
      return isOne && !isPlaceholder(text.slice(span.start, span.end)) ? span : undefined;
    },
  ),
  // learn.microsoft.com: ODBC has what other signs are in between braces; so have templates a name
  signedRule(
    'CONNECTION-PASSWORD',
    KIND.connection,
    `${CONNECTION_LEAD}\\{)[^"'\\\\{}\\s]{3,256}(?=\\})`,
    'gi',
    (text, match) => {
      const span = behindLead(text, match);
      const value = text.slice(span.start, span.end);
      const isName = /^[\w.[\]()]+$/.test(value) && !isMachineSecret(value, 'bare');
      return !isName && isConnection(text, match.index) ? span : undefined;
    },
  ),
];
