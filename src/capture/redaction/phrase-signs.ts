import { expression } from './expression.ts';
import { isDigit, isSpace, isWordChar } from './word-char.ts';

/*
 * What a phrase of `table/phrase-rules.ts` needs besides its sign, in plain code: code calls `connect(` and `Buffer.from(`, and prose speaks
 * of passwords. The first expression that a hook uses costs it some 0.4 ms, and most texts need none. All texts are in small letters.
 */

/** `: admin / hunter2`, and before it marks. */
const USER = String.raw`(?: as| with)?(?: are| is| was| were)?[\\"'\`*:]{0,6} {1,4}[\\"'\`*]{0,6}[\w.@+-]{2,64}[\\"'\`*]{0,6}`;
const SECOND_ARGUMENTS =
  'login|auth|credentials\\.basic|rkcredential(?:\\]::new)?|connect|nnection|mysqli|pdo|uelize|dcredentials|dauthentication|hmac';
const TYPING = 'fill|llfield|type|send_?keys';
/** What begins with the sign of a phrase of `table/phrase-rules.ts`, and what stands before it. */
export const PHRASE = expression(
  String.raw`log ?ins?${USER} / \S*\d|(?:cred\w+|(?:[/&] ?|and )p(?:ass(?:word)?|wd?))${USER} ?[/:,] ?\S*\d|(?:${SECOND_ARGUMENTS})\((?:"[^"\n]*"|'[^'\n]*'|[^(){}"'])*,\s*(?:Some\()?["']|(?:${TYPING})\(["']|btoa\(["'\`][\w.@+-]+:|r\.from\(["'\`][\w.@+-]+:[^"'\`\n]+["'\`]\)\.tos|echo -n ["'][\w.@+-]+:[^"'\n]+["'] ?\| ?base64|(?:wallet\(|(?<=key)toaccount\(|ccounts: \[)\s*["'\`](?:0x)?[\da-f]{64}|(?:securitykey|keyfor)\([\w.]*\(?\s*["']|hmac.new\([^\n]*["']|jwt\W+(?:sign|verify|encode|decode)[( ][^]*["']|(?:mnemonic|phrase)\(\s*["'\`\\]+[a-z]+ [a-z]+ |password[ \t]*(?:[|]|[^ -~\s]|\\+u25)|secret[ _-]?id\W+[\da-f]{8}-|secret [07] \S{4}|password [^\n]*\d|(?<=assword[^\n]*\s+)send |(?<=\w-)password |(?<=set )password for [^\n]*=|(?<=following (?:[\w-]+ ){0,2})password[^\n]*:`,
  'iy',
);

/** Whether a string stands among the arguments that begin the text, or as the first one of a call there. */
function holdsString(args: string): boolean {
  let depth = 0;
  for (const char of args) {
    if ('"\'`\\'.includes(char)) return true;
    if ('){}'.includes(char)) return false;
    if (char === '(') depth += 1;
    if (depth > 1) return false;
  }
  return false;
}

/** Calls whose first argument may be the secret; of the others it is a later one. */
const FIRST_ARGUMENTS: ReadonlySet<string> = new Set(
  'fill( llfield( type( send_keys( sendkeys( wallet( toaccount( securitykey( keyfor( mnemonic( phrase('.split(
    ' ',
  ),
);

/** `"me:…"`, as `btoa(` and `Buffer.from(` are given it. */
function isUserAndMore(args: string): boolean {
  if (!'"\'`'.includes(args[0] ?? ' ')) return false;
  let at = 1;
  while (isWordChar(args.charCodeAt(at)) || '.@+-'.includes(args[at] ?? ' ')) at += 1;
  return at > 1 && args[at] === ':';
}

/** @param open the place of the call's bracket */
function mayBeArgument(behind: string, open: number): boolean {
  const args = behind.slice(open + 1);
  const call = behind.slice(0, open + 1);
  if (call === 'r.from(' || call === 'btoa(') return isUserAndMore(args);
  if (FIRST_ARGUMENTS.has(call)) return holdsString(args);
  // Python's `hmac.new(key.encode(), b"…")`
  if (call === 'hmac.new(') return true;
  const next = args.indexOf(',');
  return next >= 0 && (args.includes('"', next) || args.includes("'", next));
}

/** Whether a word with a digit stands behind one of the characters, maybe behind a space. */
function hasDigitBehind(text: string, chars: string): boolean {
  let isBehind = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (chars.includes(text[at]!)) {
      isBehind = true;
      if (text[at + 1] === ' ') at += 1;
    } else if (isSpace(code)) isBehind = false;
    else if (isBehind && isDigit(code)) return true;
  }
  return false;
}

function hasDigit(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (isDigit(text.charCodeAt(at))) return true;
  return false;
}

const PASSWORD = 'password ';

/** `password | …`, `password for x: … 1`, `insecure-password …`, `set password for x = …`, `following password …:` */
function mayBeTold(before: string, behind: string): boolean {
  const next = behind.slice(PASSWORD.length).trimStart();
  return (
    next.startsWith('|') ||
    next.startsWith('\\') ||
    next.charCodeAt(0) > 0x7e ||
    next.charCodeAt(0) < 0x20 ||
    before.endsWith('-') ||
    before.endsWith('set ') ||
    before.includes('following ') ||
    hasDigit(behind.slice(0, (behind.indexOf('\n') + 1 || behind.length + 1) - 1))
  );
}

const JWT_CALLS = ['sign', 'verify', 'encode', 'decode'];

/** `jwt.sign(`, `jwt::encode(` */
function mayBeJwt(behind: string): boolean {
  let at = 'jwt'.length;
  while (at < behind.length && !isWordChar(behind.charCodeAt(at))) at += 1;
  return JWT_CALLS.some(
    (call) => behind.startsWith(call, at) && '( '.includes(behind[at + call.length] ?? '-'),
  );
}

/**
 * Whether something of a phrase may stand around its sign; never false where `PHRASE` matches what the rules find.
 * @param behind from the sign on
 */
export function mayBePhrase(before: string, behind: string): boolean {
  // What types something is of interest beside a password only.
  if (['fill', 'type', 'send'].includes(behind.slice(0, 4)) && !(before + behind).includes('assw'))
    return false;
  if (behind.startsWith('secret')) return true;
  if (behind.startsWith('jwt')) return mayBeJwt(behind);
  if (behind.startsWith('echo ')) return behind.includes('base64');
  let open = 0;
  while (isWordChar(behind.charCodeAt(open)) || '.:]'.includes(behind[open] ?? ' ')) open += 1;
  if (behind[open] === '(') return mayBeArgument(behind, open);
  if (behind.startsWith('log')) return hasDigitBehind(behind, '/');
  if (behind.startsWith(PASSWORD)) return mayBeTold(before, behind);
  if (behind.startsWith('cred') || '/&a'.includes(behind[0] ?? '-'))
    return hasDigitBehind(behind, '/:,');
  return true;
}
