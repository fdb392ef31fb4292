import { expression, matchesOf } from '../expression.ts';
import * as KIND from '../kinds.ts';
import type { NamedSpan, RedactionRule, Span } from '../rule.ts';
import { isMachineSecret, isPlaceholder } from '../values.ts';
import { NO_OPTION, ownValue, QUOTE, VALUE } from './command-line.ts';
import { behindLead, signedRule, stands } from './signed-rule.ts';

/** Secrets that a command takes to log in or to let someone log in, as its argument or from what is written into it. */

const NEWLINE = '(?:\\r?\\n|\\\\{1,7}(?:r\\\\{1,7})?n)';
const Q = '\\\\{0,7}"';
/** As long as no word is taken for one. */
const TOKEN_CHARS_MIN = 16;

function unlessExample(text: string, match: RegExpExecArray): Span | undefined {
  const span = behindLead(text, match);
  return isPlaceholder(text.slice(span.start, span.end)) ? undefined : span;
}

function token(text: string, match: RegExpExecArray): Span | undefined {
  const span = ownValue(text, match);
  const value = span && text.slice(span.start, span.end);
  return value && value.length >= TOKEN_CHARS_MIN && isMachineSecret(value, 'bare')
    ? span
    : undefined;
}

/** `user:password` and the lines like it that a here-document has. */
const HERE = expression(
  `(?:chpasswd[^\\n\\\\|]{0,40}<<|<<[^\\n\\\\]{1,60}chpasswd)[^\\n\\\\]{0,40}(?=${NEWLINE})`,
  'g',
);
const ENTRY = expression(`${NEWLINE}([\\w.-]{1,64}:)([^\\s"'\\\\$]{1,256})(?=[\\s\\\\]|$)`, 'y');

function* hereDocuments(text: string): Generator<NamedSpan> {
  let from = 0;
  for (const { 0: head, index } of matchesOf(HERE, text)) {
    if (index < from) continue;
    ENTRY.lastIndex = index + head.length;
    for (let entry = ENTRY.exec(text); entry !== null; entry = ENTRY.exec(text)) {
      const start = ENTRY.lastIndex - (entry[2] ?? '').length;
      from = ENTRY.lastIndex;
      yield { start, end: from };
    }
  }
}

/** Composer's names of what it logs in with. */
const COMPOSER = 'git(?:hub-oauth|lab-oauth|lab-token)';

/** A value that is written into a command, without marks and in either: the mark before it, and what it is made of. */
const WRITTEN: readonly (readonly [mark: string, value: string])[] = [
  ['', '[^\\s"\'|$`\\\\]'],
  ["'", "[^'\\\\\\r\\n]"],
  ['\\\\{0,3}"', '[^"\\\\\\r\\n$`]'],
];
/** What `printf` and a mark have behind it. */
const WRITTEN_END = '(?:\\\\{1,2}n)?\\\\{0,3}["\']?';
const PIPE = ' {0,4}\\| {0,4}(?:sudo )?';

/** cli.github.com, developers.cloudflare.com, vercel.com, docs.docker.com, cloud.google.com: what keeps a secret that it reads. */
const KEEPER =
  '(?:(?:npx|bunx|pnpm|yarn)(?: dlx| exec| --?[a-z]{1,8}){0,2} )?(?:gh secret set|wrangler (?:[a-z]{1,16} )?secret put|vercel env add|(?:docker|podman) secret create|gcloud secrets [^|\\n]{0,200}--data-file=-)';
const KEEPERS = ['secret set ', 'secret put ', 'env add ', 'secret create ', '--data-file=-'];

export const LOGIN_RULES: readonly RedactionRule[] = [
  ...WRITTEN.flatMap(([mark, value]) => [
    // man 8 chpasswd: user:password
    ...[
      `((?:echo (?:-\\w{1,3} )?|printf )${mark}[\\w.-]{1,64}:)${value}{3,256}(?=${WRITTEN_END}${PIPE}chpasswd)`,
      `(printf ["']%s:%s(?:\\\\{1,2}n)?["'] [\\w.-]{1,64} ${mark})${value}{3,256}(?=${WRITTEN_END}${PIPE}chpasswd)`,
      `(chpasswd (?:-\\w )?<<< ?${mark}[\\w.-]{1,64}:)${value}{3,256}`,
    ].map((source) =>
      signedRule('COMMAND-PASSWORD', KIND.setting, ['chpasswd'], source, 'g', unlessExample),
    ),
    // man 8 sudo, docs.docker.com, cli.github.com, man 1 kinit, man 1 passwd: what they read
    ...[
      ['sudo (?:-\\w{1,8} ){0,4}-S', 'sudo -S'],
      ['[a-z]{2,16} [^|\\n]{0,200}--password-stdin', '--password-stdin'],
      ['gh auth login [^|\\n]{0,80}--with-token', '--with-token'],
      ['kinit\\b', '| kinit', '|kinit'],
      ['(?:sudo )?passwd (?:[\\w.-]{1,64} )?--stdin', '--stdin'],
      [KEEPER, ...KEEPERS],
    ].map(([reader, ...words]) =>
      signedRule(
        'COMMAND-PASSWORD',
        KIND.setting,
        words,
        `((?:echo (?:-\\w{1,3} )?|printf (?:["']?%s(?:\\\\{1,2}n)?["']? )?)${mark})(?!-)${value}{6,256}(?=${WRITTEN_END} {0,4}\\| {0,4}${reader})`,
        'g',
        unlessExample,
      ),
    ),
    signedRule(
      'COMMAND-PASSWORD',
      KIND.setting,
      KEEPERS,
      `(${KEEPER} [^|<\\n]{0,200}<<< ?${mark})${value}{6,256}`,
      'g',
      unlessExample,
    ),
  ]),
  // man 8 chpasswd: a here-document, user:password in each line
  {
    id: 'COMMAND-PASSWORD',
    kind: KIND.setting,
    find: (text, places) =>
      stands(text, places.at(KIND.setting), ['chpasswd']) ? hereDocuments(text) : [],
  },
  // redis.io, ACL SETUSER, and a file of users: user … on >password
  signedRule(
    'PASSWORD',
    KIND.setting,
    ['SETUSER ', 'setuser ', ' +@'],
    `(?<=(?:SETUSER|setuser|(?:^|\\n|\\\\n)user)[ \\t][^\\n]{1,300}[ \\t]${QUOTE}>)[^\\s"'\\\\/&][^\\s"'\\\\]{2,255}`,
    'g',
    unlessExample,
  ),
  // ngrok.com, docs.wandb.ai, developer.hashicorp.com, doc.rust-lang.org, learn.microsoft.com: the token is the argument
  signedRule(
    'SECRET',
    KIND.command,
    ['authtoken ', 'setapikey ', ' login '],
    `(?<!o)((?:authtoken|setapikey|(?:wandb|vault|cargo) login)(?: --?[\\w-]{1,32}){0,4} ${QUOTE})${NO_OPTION}${VALUE}`,
    'gi',
    token,
  ),
  // devcenter.heroku.com: what `heroku auth:token` prints, with a warning before it
  signedRule(
    'SECRET',
    KIND.setting,
    ['auth:token'],
    `(auth:token(?:${NEWLINE}[^\\n\\\\]{0,20}Warning:[^\\n\\\\]{0,200})?${NEWLINE})[\\w-]{20,256}(?=[\\s\\\\"]|$)`,
    'g',
    token,
  ),
  // getcomposer.org: composer config and auth.json
  signedRule(
    'SECRET',
    KIND.declared,
    ['b-oauth', 'b-token'],
    `(${COMPOSER}\\.[\\w.-]{1,128} ${QUOTE})${NO_OPTION}${VALUE}`,
    'g',
    token,
  ),
  signedRule(
    'SECRET',
    KIND.setting,
    ['config bearer'],
    `(config bearer\\.[\\w.-]{1,128} ${QUOTE})${NO_OPTION}${VALUE}`,
    'g',
    token,
  ),
  signedRule(
    'SECRET',
    KIND.declared,
    ['b-oauth', 'b-token'],
    `(${COMPOSER}${Q}\\s{0,8}:(?:\\s|\\\\[nrt]){0,8}\\{(?:\\s|\\\\[nrt]){0,40}${Q}[\\w.-]{1,128}${Q}\\s{0,8}:\\s{0,8}${Q})[\\w-]{16,256}(?=${Q})`,
    'g',
    unlessExample,
  ),
];
