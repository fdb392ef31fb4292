import { expression, matchesOf, type Pattern } from '../expression.ts';
import * as KIND from '../kinds.ts';
import { isMnemonic } from '../pass-phrase.ts';
import type { NamedSpan, RedactionRule } from '../rule.ts';
import { isPhrase, PHRASE_BEFORE_CHARS_MAX } from '../signs.ts';
import { isToldPassword } from '../values.ts';
import {
  isArgument,
  isMachineMade,
  isMixed,
  isOfBothCases,
  isOfUser,
  isQuoted,
  isSecretArgument,
  isSetTo,
  isTabled,
  isUnmistakable,
  type Judge,
} from './phrase-judges.ts';

/** Secrets behind phrases of a few words, as people and programs tell them; `signs.ts` asks for the same before the table is loaded. */

/** Marks of Markdown and of a text, inside JSON too. */
const MARK = '\\\\{0,3}["\'`*]';
const IS = `(?: are| is| was| were)?${MARK}{0,2}:?${MARK}{0,2} {1,4}`;
/** Group 2. */
const USER = `${MARK}{0,2}([\\w.@+-]{2,64})${MARK}{0,2}`;
const VALUE = '[^\\s"\'`<>|\\\\]{6,128}';
/** Nothing else on the line; in JSON the text may end. */
const LINE_END = '(?=["\'`.*]{0,3}[ \\t]{0,8}(?:$|[\\r\\n]|\\\\))';
/** Up to a value in one of the next lines, raw or escaped. */
const NEXT_LINE =
  '(?:[ \\t\\r]|\\\\{1,7}r){0,8}(?:(?:\\n|\\\\{1,7}n)(?:[ \\t\\r]|\\\\{1,7}r){0,8}){1,3}';
const ARGUMENT = `(?:"[^"\\\\\\n]{1,128}"|'[^'\\\\\\n]{1,128}'|[\\w.$>-]{1,64})`;
const NEXT = `${ARGUMENT},\\s{0,20}`;
/** An object without another in it, or any argument. */
const PAYLOAD = `(?:\\{[^{}]{0,256}\\}|${ARGUMENT}),\\s{0,20}`;
const STRING = '[^"\'\\\\\\n]{6,128}(?=["\'])';

/** What stands behind group 1, without the end of its sentence. */
interface Phrase {
  readonly id: string;
  readonly pattern: Pattern;
  readonly isOne: Judge;
}

const phrase = (id: string, source: string, isOne: Judge): Phrase => ({
  id,
  pattern: expression(source, 'gi'),
  isOne,
});

/** Not the beginning of a list. */
const ALONE = '(?!\\S* (?:[/|] |or ))';

/** Also drawn ones, and escaped in JSON. */
const BAR = '(?:[|]|[^ -~\\s]|\\\\{1,7}u25(?:0[23]|51))';
const SPACES = '[ \\t]{0,40}';

/** What is said of a password before it is told. */
const OF_IT =
  '(?: (?:is|was|has|been|now|temporarily|automatically|randomly|generated|created|set|reset|changed)){0,4}';
/** Behind `user:` a user stands. */
const NO_USER = '(?<!user|account|name|login|mail|address|id)';

/** A sentence that goes on behind `user`. */
const NO_PART =
  '(?!(?:or|and|with|name|can|has|is|of|for|to|in|on|by|an?|the|whose|must|should|may|will|own|new|old|no|form|page|field|input)\\b)';
/** The end of a line, also an escaped one, with what a diff has before the next. */
const NEWLINE = '(?:\\r?\\n|(?:\\\\{1,7}r)?\\\\{1,7}n)[+-]?';
/** A line of a file of settings, which a password may be near. */
const SETTING =
  '[ \\t]{0,40}(?:user(?:name)?|login|host(?:name)?|account|from|email|server|port|auth)[ \\t]{1,20}[^\\s\\\\]{1,64}[ \\t]{0,8}(?:$|(?=[\\r\\n\\\\]))';
const PHRASES: readonly Phrase[] = [
  // login admin / …, log in as admin / …
  phrase(
    'PASSWORD',
    `(log ?ins?(?: as| with)?${IS}${USER} / ${MARK}{0,2})${ALONE}${VALUE}`,
    isOfUser,
  ),
  // credentials: admin / …, creds are admin:…, user/pass: admin / …, Username and password: root:…
  phrase(
    'PASSWORD',
    `((?:credentials|creds|(?:user(?:name)?|login|e-?mail) ?(?:/|&|and) ?(?:pass(?:word)?|pwd?))${IS}${USER} ?[/:,] ?${MARK}{0,2})${ALONE}${VALUE}`,
    isOfUser,
  ),
  // the password for root@localhost: …, a password is generated for user "x": …, password was set to …
  phrase(
    'PASSWORD',
    `(password${OF_IT}(?: (?:for|of)(?: [^\\s:]{1,64}){1,4}${NO_USER}(?::| is:?(?: now)?)| to:?| as:?) ${MARK}?)${VALUE}${LINE_END}`,
    isToldPassword,
  ),
  // the password for staging is …, and the sentence goes on
  phrase(
    'PASSWORD',
    `(password (?:for|of)(?: [^\\s:]{1,64}){1,4} is:?(?: now)? ${MARK}?)${VALUE}`,
    isUnmistakable,
  ),
  phrase('PASSWORD', `((?:with|using) (?:[\\w-]{1,16} ){0,2}password ${MARK}?)${VALUE}`, isMixed),
  // use password …, set the password to …, change the password from … to …, invalid password "…"
  phrase(
    'PASSWORD',
    `(password (?:(?:from \\S{4,128} )?to (?=[^\\s[]*\\d)|from |as )?${MARK}?)${VALUE}`,
    isUnmistakable,
  ),
  // jenkins.io: Please use the following password to proceed to installation: …
  phrase(
    'PASSWORD',
    `(following (?:[\\w-]{1,16} ){0,2}password(?: [\\w-]{1,32}){0,8}:${NEXT_LINE})${VALUE}${LINE_END}`,
    isMachineMade,
  ),
  // user me password …, as fetchmail's file has it
  phrase(
    'PASSWORD',
    `((?:user(?:name)?|login)[ \\t]{1,8}${NO_PART}["']?([\\w.@+-]{1,64})["']?[ \\t,]{1,8}(?:(?:and|there|with) ){0,2}password[ \\t]{1,20}["']?)${VALUE}`,
    (value, match) => isSetTo(value, match) && isOfUser(value, match),
  ),
  // msmtp, and whatever has a name and its value on each line: password …, with a user or a host near it
  phrase(
    'PASSWORD',
    `((?:^|${NEWLINE})${SETTING}${NEWLINE}(?:[^\\n\\\\]{0,60}${NEWLINE}){0,2}[ \\t]{0,40}password[ \\t]{1,20})${VALUE}(?=[ \\t]{0,8}(?:$|[\\r\\n\\\\]))`,
    isSetTo,
  ),
  phrase(
    'PASSWORD',
    `((?:^|${NEWLINE})[ \\t]{0,40}password[ \\t]{1,20})${VALUE}(?=[ \\t]{0,8}${NEWLINE}(?:[^\\n\\\\]{0,60}${NEWLINE}){0,2}${SETTING})`,
    isSetTo,
  ),
  // okhttp: Credentials.basic("me", "…")
  // server.login("me", "…"), db.auth("me", "…"), new NetworkCredential("me", "…"), new PasswordAuthentication("me", "…")
  phrase(
    'PASSWORD',
    `((?:login|auth|Credentials\\.basic|NetworkCredential(?:\\]::new)?|PasswordCredentials|PasswordAuthentication)\\(\\s{0,20}${NEXT}(?:Some\\()?["'])${STRING}`,
    isArgument,
  ),
  // btoa("me:…"), Buffer.from("me:…").toString("base64"), echo -n "me:…" | base64
  phrase('PASSWORD', `(btoa\\(["'\`][\\w.@+-]{1,64}:)${STRING}`, isOfBothCases),
  phrase(
    'PASSWORD',
    `(r\\.from\\(["'\`][\\w.@+-]{1,64}:)[^"'\`\\\\\\n]{6,128}(?=["'\`]\\)\\.tostring\\(["']base64)`,
    isOfBothCases,
  ),
  phrase(
    'PASSWORD',
    `(echo -n ["'][\\w.@+-]{1,64}:)[^"'\\\\\\n]{6,128}(?=["'] ?\\| ?base64)`,
    isOfBothCases,
  ),
  // docs.ethers.org: new Wallet("0x…"); viem.sh: privateKeyToAccount("0x…"); hardhat.org: accounts: ["0x…"]
  phrase(
    'PRIVATE-KEY',
    `((?:(?:Wallet|KeyToAccount)\\(\\s{0,40}["'\`](?:0x)?|accounts: \\[\\s{0,40}["'\`]0x))[\\da-f]{64}(?=["'\`])`,
    () => true,
  ),
  // learn.microsoft.com: new SymmetricSecurityKey(Encoding.UTF8.GetBytes("…")); github.com/jwtk/jjwt: hmacShaKeyFor("…".getBytes())
  phrase(
    'SECRET',
    `((?:SymmetricSecurityKey|hmacShaKeyFor)\\((?:[\\w.]{1,40}\\()?\\s{0,20}["'])[^"'\\\\\\n]{16,128}(?=["'])`,
    isSecretArgument,
  ),
  // new mysqli(host, user, "…"), new PDO(…), DriverManager.getConnection(…), psycopg2.connect(…), ssh.connect(host, port, user, "…")
  phrase(
    'PASSWORD',
    `((?:mysqli|PDO|onnection|connect)\\(\\s{0,20}(?:${NEXT}){2,3}?["'])${STRING}`,
    isSecretArgument,
  ),
  // sequelize.org: new Sequelize('database', 'user', '…'): no other call is named so
  phrase(
    'PASSWORD',
    `(sequelize\\(\\s{0,20}${NEXT}${NEXT}["'])[^"'\\\\\\n]{4,128}(?=["'])`,
    isQuoted,
  ),
  // jwt.io: jwt.sign(payload, "…"), JWT.decode(token, '…'); createHmac("sha256", "…"), hash_hmac('sha256', data, '…'), hmac.new(b"…")
  phrase(
    'SECRET',
    `(jwt\\W{1,2}(?:sign|verify|encode|decode)[( ]\\s{0,20}${PAYLOAD}["'])${STRING}`,
    isSecretArgument,
  ),
  phrase(
    'SECRET',
    `((?:createhmac\\(${NEXT}|hash_hmac\\(${NEXT}${NEXT}|hmac\\.new\\((?:${NEXT}\\[]byte\\()?)b?["'])${STRING}`,
    isSecretArgument,
  ),
  // docs.ethers.org: Wallet.fromPhrase("…"), fromMnemonic("…")
  phrase(
    'SECRET',
    `((?:mnemonic|phrase)\\(\\s{0,20}${MARK})[a-z ]{40,220}(?=["'\`\\\\])`,
    isMnemonic,
  ),
  // Playwright, Cypress, Selenium: fill('#password', '…'), getByLabel('Password').fill('…'), send_keys("…"); expect: send "…"
  phrase(
    'PASSWORD',
    `(fill\\(["'][^\\n"']{0,64}passw[^\\n"']{0,64}["'], {0,4}["'])[^"'\\\\\\n]{4,128}(?=["'])`,
    isQuoted,
  ),
  // page.type('input[name="password"]', '…'), $I->fillField('password', '…')
  phrase(
    'PASSWORD',
    `((?:\\.(?:fill|type)|[>.]fillField)\\((?:"[^"\\n]{0,64}passw[^"\\n]{0,64}"|'[^'\\n]{0,64}passw[^'\\n]{0,64}'), {0,4}["'])[^"'\\\\\\n]{4,128}(?=["'])`,
    isToldPassword,
  ),
  phrase(
    'PASSWORD',
    `(passw[^\\n]{0,30}\\.(?:fill|type|send_?keys)\\(["'])[^"'\\\\\\n]{4,128}(?=["'])`,
    isQuoted,
  ),
  phrase(
    'PASSWORD',
    `(assword[^\\n]{0,12}\\s{1,8}send (?:-- )?")[^"'\\\\\\n$]{4,128}(?=["\\\\])`,
    isQuoted,
  ),
  // | DB_PASSWORD | … |, in Markdown and drawn; psql's records, a line for each column
  phrase(
    'PASSWORD',
    `((?:${BAR}${SPACES}(?:[\\w.:/-]{1,40}[ ]){0,3}|(?:^|\\n|\\\\{1,7}(?:n|u2192))[+-]?${SPACES})[\\w.:/-]{0,40}password${SPACES}${BAR}${SPACES}${MARK}{0,2})[!#-&()+-;=?-\\[\\]-_a-{}~]{6,128}(?=["'\`*]{0,3}${SPACES}(?:${BAR}|$|[\\r\\n"\\\\\\x1b]))`,
    isTabled,
  ),
  // HAProxy, debian-installer
  phrase(
    'PASSWORD',
    `((?:insecure-|passwd/[\\w-]{1,32})password (?:password )?)${VALUE}`,
    isQuoted,
  ),
  // dev.mysql.com: SET PASSWORD FOR 'a'@'%' = '…'
  phrase(
    'PASSWORD',
    `(set password for \\S{1,128} {0,4}= {0,4}')[^'\\\\\\n]{4,128}(?=')`,
    isQuoted,
  ),
  // developer.hashicorp.com: the secret ids of Consul, Nomad and Vault
  phrase(
    'SECRET',
    `(secret[ _-]?id${MARK}{0,2}[ \\t]{0,20}[:=\\t ][ \\t]{0,20}${MARK}?)[\\da-f]{8}-(?:[\\da-f]{4}-){3}[\\da-f]{12}(?![\\w-])`,
    () => true,
  ),
  // cisco.com: username … password 0 …, and 7, which anybody can turn back
  phrase(
    'PASSWORD',
    '((?:username \\S{1,64}(?: privilege \\d{1,2})?|enable) (?:password|secret) [07] )\\S{4,128}',
    isQuoted,
  ),
];

/** Before a sign a user may stand, and behind it all of a phrase and its value, characters. */
const BEFORE_CHARS_MAX = PHRASE_BEFORE_CHARS_MAX + 64;
const BEHIND_CHARS_MAX = 450;
/** What is searched at once: less than V8 makes machine code of an expression for. */
const WINDOW_CHARS = 900;
/** Marks and spaces behind a value. What is found nearer to the window's end may have been cut. */
const END_CHARS_MAX = 16;

function* inWindow(text: string, start: number, end: number): Generator<NamedSpan> {
  const near = text.slice(start, end);
  for (const { id, pattern, isOne } of PHRASES) {
    for (const match of matchesOf(pattern, near)) {
      const lead = match[1]?.length ?? 0;
      const all = match[0].slice(lead);
      // Of a sentence, its end; between marks all of it is one.
      const isMarked = '"\'`'.includes(near[match.index + match[0].length] ?? ' ');
      const value = isMarked ? all : all.replace(/(?:[*]{2}|[.,:;)])+$/, '');
      const from = start + match.index + lead;
      const isWhole = end >= text.length || from + value.length + END_CHARS_MAX < end;
      if (isWhole && isOne(value, match)) yield { start: from, end: from + value.length, id };
    }
  }
}

function* findPhrases(text: string, places: readonly number[]): Generator<NamedSpan> {
  let searched = 0;
  let from = 0;
  for (const at of places) {
    if (at + BEHIND_CHARS_MAX < searched || !isPhrase(text, at)) continue;
    const start = Math.max(0, at - BEFORE_CHARS_MAX);
    searched = start + WINDOW_CHARS;
    for (const span of [...inWindow(text, start, searched)].sort((a, b) => a.start - b.start)) {
      if (span.start < from) continue;
      from = span.end;
      yield span;
    }
  }
}

export const PHRASE_RULES: readonly RedactionRule[] = [
  {
    id: 'PASSWORD',
    ids: ['SECRET', 'PRIVATE-KEY'],
    kind: KIND.phrase,
    find: (text, places) => findPhrases(text, places.at(KIND.phrase)),
  },
];
