import * as KIND from '../kinds.ts';
import type { RedactionRule, Span } from '../rule.ts';
import { isPassword } from '../values.ts';
import { behindLead, signedRule } from './signed-rule.ts';

/** What clients of mail and file servers say to log in, as traces and sessions of `openssl s_client` and `telnet` show it. */

const NEWLINE = '(?:\\r?\\n|\\\\{1,7}(?:r\\\\{1,7})?n)';
/** Before a line of the client's or the server's. */
const SIDE = '(?:[ \\t]{0,3}(?:[<>~*-]{1,4}|[CS]:)[ \\t]{1,2})?';
const LINE = `(?:^|\\n|\\\\{1,7}n)${SIDE}`;
const BASE64 = '[A-Za-z0-9+/]{8,1024}={0,2}';
const LINE_END = '(?=[ \\t]{0,4}(?:$|[\\r\\n]|\\\\|["\']))';

const decoded = (text: string, span: Span): string =>
  Buffer.from(text.slice(span.start, span.end), 'base64').toString('latin1');

/** The match behind its lead, where its base64 says what it should. */
const whereIt =
  (is: RegExp) =>
  (text: string, match: RegExpExecArray): Span | undefined => {
    const span = behindLead(text, match);
    return is.test(decoded(text, span)) ? span : undefined;
  };

function password(text: string, match: RegExpExecArray): Span | undefined {
  const span = behindLead(text, match);
  return isPassword(text.slice(span.start, span.end), 'quoted') ? span : undefined;
}

/** How far before a client's `PASS` its server asked for it, characters. */
const ASKED_CHARS_MAX = 240;
const ASKED = /331[ -]|\+OK/;
/** Test runners print `PASS` before the name of a file. */
function asked(text: string, match: RegExpExecArray): Span | undefined {
  const isClients = /[>:] {0,2}PASS /.test(match[0]);
  const before = text.slice(Math.max(0, match.index - ASKED_CHARS_MAX), match.index);
  return isClients || ASKED.test(before) ? password(text, match) : undefined;
}

export const DIALOGUE_RULES: readonly RedactionRule[] = [
  // RFC 4616, PLAIN: nobody or someone, NUL, the user, NUL, the password; also in the answer to 334
  signedRule(
    'PASSWORD',
    KIND.setting,
    ['AUTH PLAIN'],
    `(AUTH PLAIN(?: |${NEWLINE}${SIDE}334 ?${NEWLINE}${SIDE}))${BASE64}`,
    'g',
    whereIt(/^[^\0]*\0[^\0]+\0[^\0]+$/),
  ),
  // LOGIN of SMTP: the answer to `Password:` in base64; Python's smtplib prints both in marks
  signedRule(
    'PASSWORD',
    KIND.setting,
    ['334 UGFzc3'],
    `(334 UGFzc3dvcmQ6(?:${NEWLINE}${SIDE}|[^]{1,120}?send: ["']))${BASE64}`,
    'g',
    whereIt(/^[\x20-\x7e\x80-\xff]+$/),
  ),
  // RFC 9051, LOGIN of IMAP: tag LOGIN user password
  signedRule(
    'PASSWORD',
    KIND.setting,
    [' LOGIN '],
    `((?<![\\w.])[A-Za-z]{1,5}\\d{1,6} LOGIN (?:\\\\{0,3}"[^"\\s\\\\]{1,128}\\\\{0,3}"|[^\\s"\\\\]{1,128}) \\\\{0,3}"?)[^\\s"\\\\]{3,256}(?=\\\\{0,3}"?[ \\t]{0,4}(?:$|[\\r\\n]|\\\\))`,
    'g',
    password,
  ),
  // RFC 959, FTP, and RFC 1939, POP3: PASS password
  signedRule(
    'PASSWORD',
    KIND.setting,
    ['C: PASS ', '331 P', '331 User', '+OK '],
    `(${LINE}PASS )[^\\s"\\\\]{3,256}${LINE_END}`,
    'g',
    asked,
  ),
];
