import * as KIND from '../kinds.ts';
import type { RedactionRule } from '../rule.ts';
import { loggingIn, NO_OPTION, of, ownValue, QUOTE, VALUE } from './command-line.ts';
import { ANY, signedRule } from './signed-rule.ts';

/** A word behind which nothing is on the line, and none of a manual's, `new-password` and `NEWROOT`. */
const LAST_WORD = /^(?!.*p(?:ass|wd))[\w-]*[a-z][\w-]{3,}(?! *[^\s;&|`"'\\)])/;
/** Prose before a command. */
const SAID = /[\w:.,](?<!sudo|RUN) $/;

const CURL = /\b(?:curl|wget|http|https|xh)\b/;
const HTTPIE = /(?:^|[\s;|&$(`])(?:http|https)(?: |$)/;

/** Credentials as arguments of the commands that take them so. */
export const COMMAND_RULES: readonly RedactionRule[] = [
  // curl -u user:password, --user, --proxy-user
  signedRule(
    'COMMAND-PASSWORD',
    KIND.command,
    ['curl ', 'http -', 'https -'],
    `(\\s(?:-[a-zA-Z]{0,4}[uU]|--user|--proxy-user)(?:[ =]{0,2})${QUOTE}[^\\s:"'\\\\]{1,128}:)${VALUE}`,
    'g',
    of(CURL),
  ),
  // curl -b name=value
  signedRule(
    'COOKIE',
    KIND.command,
    ['curl ', 'http -', 'https -'],
    `(\\s(?:-b|--cookie)[ =]{0,2}${QUOTE}[\\w.-]{1,64}=)[^\\s"'\\\\]{8,4096}`,
    'g',
    of(CURL),
  ),
  // docker login -p, and those with the same options
  signedRule(
    'COMMAND-PASSWORD',
    KIND.command,
    [' login '],
    `(\\s(?:-p|--password)[ =]${QUOTE})${NO_OPTION}${VALUE}`,
    'g',
    of(
      loggingIn(
        /\b(?:docker|podman|buildah|nerdctl|skopeo|crane|helm|oras|az|oc|cf|argocd|vault)\b/,
      ),
    ),
  ),
  signedRule(
    'COMMAND-PASSWORD',
    KIND.command,
    [' login '],
    `(\\s-p${QUOTE})${NO_OPTION}${VALUE}`,
    'g',
    of(loggingIn(/\b(?:docker|podman|buildah|nerdctl|skopeo|crane|helm|oras)\b/)),
  ),
  // mysql -pSECRET: no space between them
  signedRule(
    'COMMAND-PASSWORD',
    KIND.command,
    ['mysql', 'mariadb'],
    `(\\s(?:-p|--password=)${QUOTE})${NO_OPTION}${VALUE}`,
    'g',
    of(/\b(?:mysql(?:dump|admin|import|show|check|pump|sh)?|mariadb(?:-\w{1,16})?)\b/),
  ),
  // dev.mysql.com: mysqladmin password …, which sets it
  signedRule(
    'COMMAND-PASSWORD',
    KIND.command,
    ['mysql', 'mariadb'],
    `((?:mysqladmin|mariadb-admin)(?:[ ]-\\S{1,64}(?:[ ][^\\s-]\\S{0,64})?){0,8}[ ]password[ ]${QUOTE})${NO_OPTION}${VALUE}`,
    'g',
    // Prose speaks of the command, too.
    (text, match) => {
      const span = ownValue(text, match);
      const isQuoted = /["']$/.test(match[1] ?? '');
      return span &&
        (isQuoted ||
          /[\d!#$%*?@^+=]/.test(text.slice(span.start, span.end)) ||
          (/ -u| --user/.test(match[1]!) &&
            LAST_WORD.test(text.slice(span.start, span.end + 9)) &&
            !SAID.test(text.slice(Math.max(0, match.index - 9), match.index))))
        ? span
        : undefined;
    },
  ),
  signedRule(
    'COMMAND-PASSWORD',
    KIND.command,
    ['sshpass '],
    `(\\s-p ?${QUOTE})${NO_OPTION}${VALUE}`,
    'g',
    of(/\bsshpass\b/),
  ),
  signedRule(
    'COMMAND-PASSWORD',
    KIND.command,
    ['redis-cli '],
    `(\\s(?:-a|--pass) ${QUOTE})${NO_OPTION}${VALUE}`,
    'g',
    of(/\bredis-cli\b/),
  ),
  // sqlcmd -P, with or without a space
  signedRule(
    'COMMAND-PASSWORD',
    KIND.command,
    ['sqlcmd', 'osql ', 'bcp '],
    `(\\s-P ?${QUOTE})${NO_OPTION}${VALUE}`,
    'g',
    of(/\b(?:sqlcmd|osql|bcp)\b/),
  ),
  // httpie.io: -a user:password; samba.org: -U user%password
  ...[
    [`-a[ =]?${QUOTE}[^\\s:"'\\\\]{1,128}:`, HTTPIE, ['http -', 'https -']] as const,
    [
      `-U ?${QUOTE}[^\\s%"'\\\\]{1,128}%`,
      /\b(?:smbclient|rpcclient|winexe)\b/,
      ['smbclient ', 'rpcclient ', 'winexe '],
    ] as const,
    [`-p${QUOTE}`, /\b7z[ar]?\b/, ['7z ']] as const,
    [`(?:-b|--body=)${QUOTE}`, /\bsecret set\b/, ['secret set ']] as const,
    // rarlab.com: -p alone asks for it, -p- never does
    [`-h?p${QUOTE}(?![\\s-])`, /\b(?:un)?rar\b/, ['unrar ', 'rar a ']] as const,
    [`["']?/p:${QUOTE}`, /\bxfreerdp3?\b/, ['xfreerdp']] as const,
    // learn.microsoft.com: net user; w1.fi: wpa_passphrase; prose tells of both
    [`user [^\\s/]{1,64} ${QUOTE}(?![/*])(?=\\S*\\d|\\S+ /\\w)`, /\bnet$/i, ['net user ']] as const,
    [
      `(?:"[^"\\n]{1,32}"|'[^'\\n]{1,32}'|[^\\s"']{1,32}) ${QUOTE}(?=\\S*\\d|\\S{8,66} {0,2}[>|])`,
      /\bwpa_passphrase$/,
      ['wpa_passphrase '],
    ] as const,
    [`auth ${QUOTE}(?=[\\da-fA-F]{8}-)`, /\bsnyk$/, ['snyk auth ']] as const,
    // mongodb.com: nothing between the option and its value
    [`-p${QUOTE}(?![\\s-])`, /\bmongo(?:sh|dump|restore|import|export)?\b/, ['mongo']] as const,
    [
      `(?:AUTH|auth) (?:[\\w.-]{1,64} (?=[^\\s|&;-]))?${QUOTE}`,
      /\bredis-cli\b/,
      ['redis-cli '],
    ] as const,
    [
      `\\\\{2,8}[^\\s]{1,128} ${QUOTE}(?=[^\\s/]{3,128} /user:)`,
      /\bnet use\b/i,
      ['net use '],
    ] as const,
    // lftp.yar.ru: user,password; learn.microsoft.com: net use
    [`-u ${QUOTE}[^\\s,"'\\\\]{1,128},`, /\blftp\b/, ['lftp ']] as const,
    [`/user:\\S{1,128} ${QUOTE}(?!/)`, /\bnet use\b/i, ['net use ']] as const,
    [`password ${QUOTE}`, /\bnmcli\b/, ['nmcli ']] as const,
    [`/p ${QUOTE}`, /\bsigntool\b/i, ['signtool ']] as const,
    [`/rp ${QUOTE}`, /\bschtasks\b/i, ['schtasks']] as const,
    [
      `(?:add_user|change_password) [^\\s-]\\S{0,64} ${QUOTE}`,
      /\brabbitmqctl\b/,
      ['rabbitmqctl '],
    ] as const,
    [
      `set [\\w-]{1,64} https?://\\S{1,128} \\S{1,128} ${QUOTE}`,
      /\bmc alias\b/,
      ['mc alias '],
    ] as const,
  ].map(([lead, commands, words]) =>
    signedRule('COMMAND-PASSWORD', KIND.command, words, `(\\s${lead})${VALUE}`, 'g', of(commands)),
  ),
  // mongosh -p, --password: the latter has a label; gh secret set NAME -b …: what it sets is a secret
  ...[
    [
      '-p',
      /\b(?:twine|beeline|cqlsh|rdesktop|useradd|usermod)\b/,
      ['twine ', 'beeline ', 'cqlsh ', 'rdesktop ', 'useradd ', 'usermod '],
    ] as const,
    ['-P', /\bmosquitto_(?:pub|sub|rr)\b/, ['mosquitto_']] as const,
    ['-[NP]', /\bssh-keygen\b/, ['ssh-keygen ']] as const,
    [
      '-[pP]',
      /\bsecurity (?:unlock-keychain|create-keychain|import|export)\b/,
      ['security '],
    ] as const,
    ['-p', /\bpsexec(?:64)?(?:\.exe)?\b/i, ['psexec']] as const,
    ['-p', /\baz (?:sql|mysql|postgres|synapse)\b/, ['az ']] as const,
    ['-P', /\b(?:un)?zip\b/, ['zip -']] as const,
    ['(?:-b|--body)', /\bsecret set\b/, ['secret set ']] as const,
    ['-p', /\bmongo(?:sh|dump|restore|import|export)?\b/, ['mongo']] as const,
    ['-w', /\bldap(?:search|modify|add|delete|passwd|whoami)\b/, ['ldap']] as const,
    ['-(?:(?:src|dest)?store|key)pass', /\bkeytool\b/, ['keytool ']] as const,
    ['-k', /\bopenssl\b/, ['openssl ']] as const,
    // httpd.apache.org: -n has no file
    [
      '-(?:[a-zA-Z]{0,3}nb|[a-zA-Z]{0,3}bn)[a-zA-Z]{0,3} [^\\s-]\\S{0,64}',
      /\bhtpasswd\b/,
      ['htpasswd '],
    ] as const,
    [
      '-[a-zA-Z]{0,4}b[a-zA-Z]{0,4}(?: -[A-Za-z]{1,4}){0,4} [^\\s-]\\S{0,200} [^\\s-]\\S{0,64}',
      /\bhtpasswd\b/,
      ['htpasswd '],
    ] as const,
  ].map(([option, commands, words]) =>
    signedRule(
      'COMMAND-PASSWORD',
      KIND.command,
      words,
      `(\\s${option} ${QUOTE})${NO_OPTION}${VALUE}`,
      'g',
      of(commands),
    ),
  ),
  // docs.oracle.com: user/password@host
  signedRule(
    'COMMAND-PASSWORD',
    KIND.command,
    ['sqlplus ', 'sqlldr ', 'expdp ', 'impdp '],
    `(\\s${QUOTE}[\\w$#.-]{1,64}/)[^\\s"'@/\\\\]{3,128}(?=[\\s@"']|$)`,
    'g',
    of(/\b(?:sqlplus|sqlldr|expdp|impdp)\b/),
  ),
  // openssl -passin pass:…
  signedRule(
    'COMMAND-PASSWORD',
    KIND.setting,
    ['-passin', '-passout', '-pass pass:'],
    `(-pass(?:in|out)? ${QUOTE}pass:)${VALUE}`,
    'g',
    ownValue,
  ),
  // python-poetry.org: poetry config http-basic.<name> <user> <password>, pypi-token.<name> <token>
  ...[
    ['tp-basic.', `http-basic\\.[\\w.-]{1,64} ${QUOTE}[^\\s"'\\\\]{1,128}["']?`] as const,
    ['pypi-token.', 'pypi-token\\.[\\w-]{1,64}'] as const,
  ].map(([word, lead]) =>
    signedRule(
      'COMMAND-PASSWORD',
      KIND.setting,
      [word],
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
      ANY,
      `(${lead}${QUOTE})${NO_OPTION}${VALUE}`,
      'g',
      ownValue,
    ),
  ),
  // kubectl create secret generic … --from-literal=name=value: all of them are secrets
  signedRule(
    'KUBERNETES-SECRET',
    KIND.setting,
    ['--from-literal'],
    `(--from-literal[ =]${QUOTE}[\\w.-]{1,128}=)${VALUE}`,
    'g',
    ownValue,
  ),
  // aws configure set aws_secret_access_key …
  signedRule(
    'AWS-SECRET-KEY',
    KIND.setting,
    ['configure set '],
    `(configure set (?:aws_secret_access_key|aws_session_token) ${QUOTE})[\\w/+=]{20,2048}`,
  ),
];
