import type { NamedSpan, Rule } from '../rule.ts';
import { isPlaceholder, isSessionId } from '../search/value-test.ts';
import { isCredential } from './row.ts';

/** Secrets in documents whose other fields tell what they are. */

/** All of the data of a Kubernetes secret, before or behind what says that it is one. */
function* kubernetes(text: string, at: number): Generator<NamedSpan> {
  if (!/^kind["']?:\s{0,4}["']?Secret\b(?!\w)/i.test(text.slice(at, at + 40))) return;
  const from = Math.max(0, at - KUBERNETES_CHARS);
  const before = text.slice(from, at);
  // As far as the next thing that says what it is, on either side.
  const begin = Math.max(before.lastIndexOf('\n---'), before.lastIndexOf('kind')) + 1;
  const after = text.slice(at + 4, at + KUBERNETES_CHARS);
  const end = after.search(/\n---|\bkind["']?:/);
  const window = `${before.slice(begin)}kind${end < 0 ? after : after.slice(0, end)}`;
  const offset = from + begin;
  for (const data of window.matchAll(/\b(?:data|stringData)["']?:\s{0,40}(?:\{\s{0,40}|\n|\s)/g)) {
    const start = data.index + data[0].length;
    const block = window.slice(start);
    const stop = data[0].includes('{') ? block.indexOf('}') : block.search(/\n[A-Za-z]/);
    const entries = block.slice(0, stop < 0 ? undefined : stop);
    for (const entry of entries.matchAll(
      /(["']?)[\w.-]{1,253}\1:[ \t]{0,8}(?:[|>][-+]?[ \t]*\n[ \t]+)?["']?([^\s"',{}|>][^\n"',}]{2,})/g,
    )) {
      const value = entry[2]!.trimEnd();
      if (isPlaceholder(value)) continue;
      const end =
        offset + start + entry.index + entry[0].length - (entry[2]!.length - value.length);
      yield { start: end - value.length, end, id: 'KUBERNETES-SECRET' };
    }
  }
}
const KUBERNETES_CHARS = 8 * 1024;
/** As YAML and JSON have it, the latter also in a text of its own. */
const KINDS = ['kind:', 'kind: ', 'kind":', 'kind": ', 'kind\\":', 'kind\\": '].flatMap((kind) =>
  ['secret', '"secret', "'secret", '\\"secret'].map((secret) => kind + secret),
);

const OBJECT_CHARS = 4096;

/** Values in the innermost object around the keyword: its group 1. */
const inObject = (id: string, value: RegExp, test: (secret: string) => boolean) =>
  function* find(text: string, at: number): Generator<NamedSpan> {
    const from = Math.max(text.lastIndexOf('{', at), at - OBJECT_CHARS, 0);
    const inside = text.slice(from, at + OBJECT_CHARS);
    const close = inside.indexOf('}', at - from);
    for (const match of inside.slice(0, close < 0 ? undefined : close).matchAll(value)) {
      if (!test(match[1]!)) continue;
      const end = from + match.index + match[0].length - 1;
      yield { start: end - match[1]!.length, end, id };
    }
  };

export const DOCUMENTS: readonly Rule[] = [
  {
    id: 'JWK',
    kind: 'word',
    keywords: ['kty"', "kty'", 'kty\\'],
    find: inObject(
      'JWK',
      /["'](?:k|d|p|q|dp|dq|qi)["']\s{0,8}:\s{0,8}["']([\w-]{16,2048})["']/g,
      isCredential,
    ),
    lines: OBJECT_CHARS,
    source: 'rfc-editor.org/rfc/rfc7517',
  },
  {
    // As browsers and what drives them keep them.
    id: 'COOKIE',
    kind: 'word',
    keywords: ['httponly'],
    find: inObject('COOKIE', /["']value["']\s{0,8}:\s{0,8}["']([^\s"']{16,4096})["']/g, (secret) =>
      isSessionId(secret, 'quoted'),
    ),
    source: 'developer.chrome.com/docs/extensions/reference/api/cookies',
  },
  {
    id: 'KUBERNETES-SECRET',
    kind: 'word',
    keywords: KINDS,
    find: kubernetes,
    lines: KUBERNETES_CHARS,
    source: 'kubernetes.io/docs/concepts/configuration/secret',
  },
];
