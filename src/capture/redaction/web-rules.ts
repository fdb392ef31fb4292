import { ANSI, atLeast, QUOTE, SLASH } from './fragments.ts';
import { onDemand, type RedactionRule } from './rule.ts';
import { isPlaceholder, isTemplate } from './values.ts';

/** `Authorization:` and what may stand between it and the scheme's name, in a header, JSON, YAML or code. */
const AUTHORIZATION = `authorization(?:${QUOTE})?\\]?[ \\t]{0,8}(?:=>|[:=,])[ \\t]{0,8}(?:${ANSI})?(?:${QUOTE})?[bf]?(?:${QUOTE})?`;

/** The name of the scheme and the space after it, which may be percent-encoded. */
const SPACE = '(?:[ \\t]{1,4}|%20|\\+)';

/** RFC 6750: the alphabet of a bearer token. */
const TOKEN68 = 'A-Za-z0-9._~+/=-';

/** The span of what follows group 1, unless it is a placeholder or `refused`. */
function afterLead(text: string, found: RegExpExecArray, refused?: (value: string) => boolean) {
  const start = found.index + (found[1] ?? '').length;
  const end = found.index + found[0].length;
  const value = text.slice(start, end);
  return isPlaceholder(value) || refused?.(value) === true ? undefined : { start, end };
}

/** Whether the value of a header, when headers are an object, is `<scheme> <credentials>`. */
function isCredentials(key: string, value: string, scheme: RegExp): boolean {
  if (!/authorization$/i.test(key)) return false;
  const [first = '', credentials = '', ...more] = value.split(' ', 3);
  return scheme.test(first) && more.length === 0 && !isPlaceholder(credentials);
}

export const WEB_RULES: readonly RedactionRule[] = [
  {
    // RFC 3986 §3.2.1: scheme://user:password@host. Only the password goes. A raw `@` in it is tolerated.
    id: 'URL-PASSWORD',
    prefilter: ['://', ':\\/', '%3a%2f%2f'],
    besides: ['@', '%40'],
    pattern: onDemand(
      () =>
        new RegExp(
          `(:${SLASH}{2}[^\\s:@/?#"'<>\`\\\\]{0,128}:)[^\\s/?#"'<>\`\\\\]{1,512}(?=@)|(%3A%2F%2F[\\w.~-]{0,128}%3A)[\\w.~!*-]{1,128}(?:%(?!40|2F)[0-9A-F]{2}[\\w.~!*-]{0,128}){0,64}(?=%40)`,
          'gi',
        ),
    ),
    locate: (text, found) => {
      const start = found.index + (found[1] ?? found[2] ?? '').length;
      const end = found.index + found[0].length;
      return isTemplate(text.slice(start, end)) ? undefined : { start, end };
    },
  },
  {
    // RFC 7617: the scheme's word is too common alone, so the header's name must stand before it.
    id: 'BASIC-AUTH',
    prefilter: ['authorization'],
    pattern: onDemand(
      () => new RegExp(`(${AUTHORIZATION}basic${SPACE})${atLeast(6, 'A-Za-z0-9+/=_-')}`, 'gi'),
    ),
    locate: (text, found) => afterLead(text, found),
    underKey: (key, value) => isCredentials(key, value, /^basic$/i),
  },
  {
    // RFC 6750, and GitHub's `Authorization: token …`. Under the header's name anything but a placeholder.
    id: 'BEARER-TOKEN',
    prefilter: ['authorization'],
    pattern: onDemand(
      () => new RegExp(`(${AUTHORIZATION}(?:bearer|token)${SPACE})${atLeast(8, TOKEN68)}`, 'gi'),
    ),
    locate: (text, found) => afterLead(text, found),
    underKey: (key, value) => isCredentials(key, value, /^(?:bearer|token)$/i),
  },
  {
    // Without the header's name (`Bearer …` in code, logs, curl): long, and with a digit, which prose has not.
    id: 'BEARER-TOKEN',
    prefilter: ['bearer'],
    pattern: onDemand(() => new RegExp(`(bearer${SPACE})${atLeast(16, TOKEN68)}`, 'gi')),
    locate: (text, found) => afterLead(text, found, (value) => !/\d/.test(value)),
  },
];
