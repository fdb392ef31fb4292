import { expression, type Pattern } from './expression.ts';
import { ANSI, atLeast, QUOTE, SLASH } from './fragments.ts';
import * as KIND from './kinds.ts';
import { near, type RedactionRule, type Span } from './rule.ts';
import { isMachineSecret, isPlaceholder, isTemplate } from './values.ts';

/** `Authorization:` and what may stand between it and the scheme's name, in a header, JSON, YAML or code. */
const AUTHORIZATION = `authorization(?:${QUOTE})?\\]?[ \\t]{0,8}(?:=>|[:=,])[ \\t]{0,8}(?:${ANSI})?(?:${QUOTE})?[bf]?(?:${QUOTE})?`;

/** The name of the scheme and the space after it, which may be percent-encoded. */
const SPACE = '(?:[ \\t]{1,4}|%20|\\+)';

/** What stands before the first cookie's name. */
const COOKIE_HEAD = `cookies?(?:${QUOTE})?\\]?[ \\t]{0,8}[:=][ \\t]{0,8}(?:${QUOTE})?`;

/** Shorter ones are settings: a language, a theme, a number. */
const SESSION_CHARS_MIN = 16;

/** RFC 6750, GitHub, and what other services call theirs (Discord, Elastic, Okta, Opsgenie, Splunk). */
const SCHEMES = 'bearer|token|bot|api-?key|key|ssws|geniekey|splunk';

/** The furthest that a scheme's name stands behind the header's, characters: quotation marks, a colour and spaces. */
const SCHEME_WITHIN = 100;

/** RFC 6750: the alphabet of a bearer token. */
const TOKEN68 = 'A-Za-z0-9._~+/=-';

/** A scheme that no list has, and a space; or `key=`, as Google's Firebase has it. */
const OTHER_SCHEME = `(?:[a-z][\\w-]{1,24}:?${SPACE}|key=)`;
/** All of a header's value. Group 1: the credentials. */
const SCHEME_ALONE = expression(`^${OTHER_SCHEME}([:${TOKEN68}]{16,})$`, 'i');

const AUTHORIZATION_NAME = /authorization$/i;
const BASIC = /^basic$/i;
const ONE_SCHEME = expression(`^(?:${SCHEMES})$`, 'i');

const named = (schemes: string) =>
  near(`authorization[^]{1,${SCHEME_WITHIN}}?(?:${schemes})`, 2 * SCHEME_WITHIN);

/** The span of what follows group 1, unless it is a placeholder or `refused`. */
function afterLead(text: string, found: RegExpExecArray, refused?: (value: string) => boolean) {
  const start = found.index + (found[1] ?? '').length;
  const end = found.index + found[0].length;
  const value = text.slice(start, end);
  return isPlaceholder(value) || refused?.(value) === true ? undefined : { start, end };
}

/** Whether the value of a header, when headers are an object, is `<scheme> <credentials>`. */
function isCredentials(key: string, value: string, scheme: Pattern): boolean {
  if (!AUTHORIZATION_NAME.test(key)) return false;
  const [first = '', credentials = '', ...more] = value.split(' ', 3);
  return scheme.test(first) && more.length === 0 && !isPlaceholder(credentials);
}

/** Up to the password of a URL. */
const USER = `:${SLASH}{2}[^\\s:@/?#"'<>\`\\\\]{0,128}:`;

/** Servers whose URLs nobody reads as a page: signs that a URL must encode stand in their passwords as they are. */
const SERVERS =
  'postgres(?:ql)?|mysql|mariadb|mongodb(?:\\+srv)?|rediss?|amqps?|mssql|clickhouse|ftps?|smtps?|ldaps?|nats';
/** Behind its lead a password with such a sign, up to the host: no port, no part of an expression. */
const RAW = `(?<=(?:${SERVERS})(?:\\+\\w{1,16})?${USER})(?!\\d{1,5}[/?]|["'])[^\\s"\`\\\\@]{1,128}(?=@[\\w.-]{1,253}(?:[\\s:/?"'\`]|$))`;

const isUser = near(USER, 200);
const isEncodedUser = near('%3A%2F%2F', 10);
/** The furthest that the `@` behind a user and a password stands, and where all signs are encoded, characters. */
const HOST_WITHIN = 700;
const ENCODED_HOST_WITHIN = 9000;
/** The scheme's name before a user, characters. */
const SCHEME_CHARS_MAX = 40;

/** Whether one stands there, and nothing before it that no password holds. Ports are common, and the expressions take V8 half a millisecond. */
function mayHaveHost(text: string, at: number): boolean {
  const [user = '', host] = text.slice(at, at + HOST_WITHIN).split('@', 2);
  return host !== undefined && ![' ', '\n', '"'].some((sign) => user.includes(sign));
}

/** A password that is the placeholder of a template is none. */
function locatePassword(text: string, found: RegExpExecArray): Span | undefined {
  const start = found.index + (found[1] ?? '').length;
  const end = found.index + found[0].length;
  return isTemplate(text.slice(start, end)) ? undefined : { start, end };
}

export const WEB_RULES: readonly RedactionRule[] = [
  {
    // RFC 3986 §3.2.1: scheme://user:password@host. Only the password goes. A raw `@` in it is tolerated.
    id: 'URL-PASSWORD',
    kind: KIND.url,
    mayMatch: (text, at) => text[at] !== '%' && mayHaveHost(text, at) && isUser(text, at),
    reach: HOST_WITHIN,
    reachBefore: SCHEME_CHARS_MAX,
    pattern: expression(`(${USER})(?:[^\\s/?#"'<>\`\\\\]{1,512}(?=@)|${RAW})`, 'iy'),
    locate: locatePassword,
  },
  {
    // The same with every sign percent-encoded: the address of another URL's parameter.
    id: 'URL-PASSWORD',
    kind: KIND.url,
    mayMatch: (text, at) =>
      text[at] === '%' &&
      text.slice(at, at + ENCODED_HOST_WITHIN).includes('%40') &&
      isEncodedUser(text, at),
    pattern: expression(
      '(%3A%2F%2F[\\w.~-]{0,128}%3A)[\\w.~!*-]{1,128}(?:%(?!40|2F)[0-9A-F]{2}[\\w.~!*-]{0,128}){0,64}(?=%40)',
      'iy',
    ),
    locate: locatePassword,
  },
  {
    // RFC 7617: the scheme's word is too common alone, so the header's name must stand before it.
    id: 'BASIC-AUTH',
    kind: KIND.authorization,
    mayMatch: named('basic'),
    pattern: expression(`(${AUTHORIZATION}basic${SPACE})${atLeast(6, 'A-Za-z0-9+/=_-')}`, 'iy'),
    locate: (text, found) => afterLead(text, found),
    underKey: (key, value) => isCredentials(key, value, BASIC),
  },
  {
    // Under the header's name anything but a placeholder.
    id: 'BEARER-TOKEN',
    kind: KIND.authorization,
    mayMatch: named(SCHEMES),
    pattern: expression(`(${AUTHORIZATION}(?:${SCHEMES})${SPACE})${atLeast(8, TOKEN68)}`, 'iy'),
    locate: (text, found) => afterLead(text, found),
    underKey: (key, value) => isCredentials(key, value, ONE_SCHEME),
  },
  {
    // Under it without any scheme, as many services take theirs: what a machine made, and nothing behind it.
    id: 'BEARER-TOKEN',
    kind: KIND.authorization,
    mayMatch: near(`authorization[^\\w\\r\\n]{1,40}[${TOKEN68}]{16}`, 2 * SCHEME_WITHIN),
    pattern: expression(`(${AUTHORIZATION})${atLeast(16, TOKEN68)}(?![ \\t]{1,4}[\\w<$])`, 'iy'),
    locate: (text, found) => afterLead(text, found, (value) => !isMachineSecret(value, 'bare')),
    underKey: (key, value) =>
      AUTHORIZATION_NAME.test(key) && value.length >= 16 && isMachineSecret(value, 'quoted'),
  },
  {
    // Behind any other word, as vendors call their schemes (DeepL-Auth-Key, Klaviyo-API-Key, Zoho-oauthtoken, JWT, `key=`).
    id: 'BEARER-TOKEN',
    kind: KIND.authorization,
    mayMatch: near(
      `authorization[^\\w\\r\\n]{1,40}${OTHER_SCHEME}[:${TOKEN68}]{16}`,
      2 * SCHEME_WITHIN,
    ),
    pattern: expression(
      `(${AUTHORIZATION}(?!(?:await|new|return|yield)\\b)${OTHER_SCHEME})${atLeast(16, `:${TOKEN68}`)}(?=["'\`\\\\\\s,;)}\\]&\\x1b]|$)(?![ \\t]{1,4}[\\w<$])`,
      'iy',
    ),
    locate: (text, found) => afterLead(text, found, (value) => !isMachineSecret(value, 'bare')),
    underKey: (key, value) => {
      if (!AUTHORIZATION_NAME.test(key)) return false;
      const credentials = SCHEME_ALONE.exec(value)?.[1] ?? '';
      return credentials.length >= 16 && isMachineSecret(credentials, 'quoted');
    },
  },
  {
    // Without the header's name (`Bearer …` in code, logs, curl): long, and with a digit, which prose has not.
    id: 'BEARER-TOKEN',
    kind: KIND.bearer,
    mayMatch: near(`bearer${SPACE}[${TOKEN68}]{16}`, 40),
    pattern: expression(`(bearer${SPACE})${atLeast(16, TOKEN68)}`, 'iy'),
    locate: (text, found) => afterLead(text, found, (value) => !/\d/.test(value)),
  },
  {
    // RFC 6265: the cookies of a request or answer, all of them when one looks like a session's.
    id: 'COOKIE',
    kind: KIND.cookie,
    mayMatch: near(`${COOKIE_HEAD}[\\w.-]{1,64}=`, 200),
    pattern: expression(
      `(${COOKIE_HEAD})[\\w.-]{1,64}=(?:${ANSI})?[^\\s"'\\\\;<>(){}\\x1b]{0,4096}(?:; ?[\\w.-]{1,64}=[^\\s"'\\\\;<>(){}\\x1b]{0,4096}){0,64}`,
      'iy',
    ),
    locate: (text, found) => {
      const start = found.index + (found[1] ?? '').length;
      const end = found.index + found[0].length;
      const cookies = text.slice(start, end);
      if (!holdsSession(cookies)) return undefined;
      // Of one alone its name may be seen.
      const name = /; ?[\w.-]{1,64}=/.test(cookies) ? '' : (FIRST_NAME.exec(cookies)?.[0] ?? '');
      return { start: start + name.length, end };
    },
    underKey: (key, value) => /^(?:(?:set-)?cookies?|httponly)$/i.test(key) && holdsSession(value),
  },
];

const FIRST_NAME = expression(`^[^=]*=(?:${ANSI})?`);
/** When somebody agreed to something, and what Google counts visitors by. */
const NO_SESSION = /^\d{4}-\d\d-\d\dT|^GA\d\./;
/** None stands before base64 and its padding. */
const NAME = expression('^[^=]*=(?!=?$)');

/** A longer cookie is looked at by its beginning and its end: a text may begin thousands of them within one another. */
const JUDGED_CHARS_MAX = 256;

/** Whether one of the cookies is what a machine made up to know someone again. */
function holdsSession(cookies: string): boolean {
  return cookies.split(';', 64).some((cookie) => {
    const value = cookie.slice(NAME.exec(cookie)?.[0].length ?? 0).trimStart();
    if (value.length < SESSION_CHARS_MIN || NO_SESSION.test(value)) return false;
    if (value.length <= 2 * JUDGED_CHARS_MAX) return isMachineSecret(value, 'bare');
    const parts = [value.slice(0, JUDGED_CHARS_MAX), value.slice(-JUDGED_CHARS_MAX)];
    return parts.some((part) => isMachineSecret(part, 'bare'));
  });
}
