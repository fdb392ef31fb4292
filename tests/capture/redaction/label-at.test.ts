/** @module-tag long */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { UPPER_KEY } from '../../../src/capture/redaction/key-labels.ts';
import * as KIND from '../../../src/capture/redaction/kinds.ts';
import { LABEL_RULES } from '../../../src/capture/redaction/label-rules.ts';
import { isLabelSuffix } from '../../../src/capture/redaction/label-suffixes.ts';
import { mayBeSession } from '../../../src/capture/redaction/session-id.ts';

const plain = LABEL_RULES.filter(({ matchAt }) => matchAt !== undefined);
const pieces = fc.constantFrom(
  ...[
    'pass',
    'PASS',
    'pw',
    'Pw',
    'db',
    'DB_',
    'user',
    'require',
    'ssh_',
    'postgres',
    'n',
    'b',
    '\u212aey',
  ],
  ...['secret', 'token', 'credential', 's', 'value', 'string', 'Password', 'PASSWD', 'passphrase'],
  ...[
    'passcode',
    'prod',
    'Confirm',
    'V2',
    'word',
    'pwd',
    'old',
    'OLDPWD',
    '_',
    '-',
    '1',
    '12',
    '345',
    '=',
    ': ',
    '?=',
    '?',
    '"',
    '[',
    ']',
  ],
  ...[
    'key',
    'KEY',
    'aws',
    'secret_',
    'access',
    'api',
    'Primary',
    'readonly',
    'master',
    'public',
    'base',
    '__',
    '.',
  ],
  ...[
    '_pat',
    '-auth',
    'rt-api',
    'honeycom',
    'b-team',
    'a',
    'php',
    'sess',
    'id',
    'asp.net_',
    'j',
    'ion',
    'connect.sid',
  ],
  ...[
    '[REDACTED:',
    '[REDACTED:API-',
    '[redacted:',
    'x',
    '\x1b',
    '\n',
    '%',
    '&',
    ' ',
    '\t',
    '`',
    '\\',
  ],
);

it('a label is seen in plain code as its expression sees it', () => {
  expect(plain.length).toBe(18);
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 9 }), (parts) => {
      const text = parts.join('');
      for (const { kind, pattern, matchAt, mayMatch } of plain) {
        const isSession = kind === KIND.session || kind === KIND.sessionId;
        for (let at = 0; at < text.length; at += 1) {
          // Nor does it know which names are in upper case.
          if (pattern!.source.includes(UPPER_KEY) && text[at] !== 'K') continue;
          // Nor does it know that a value must follow, and that no cookie is called `_session_id`.
          if (isSession && (!mayBeSession(text, at) || /^_session[_s-]/i.test(text.slice(at))))
            continue;
          // Whether it is a test's outcome the expression leaves to plain code.
          if (text.startsWith('PASS: ', at)) continue;
          pattern!.lastIndex = at;
          const own = mayMatch?.(text, at) === false ? undefined : matchAt!(text, at);
          const match = pattern!.exec(text);
          // Which words are suffixes the expression leaves to plain code.
          const isOne = match?.[1] === undefined || isLabelSuffix(match[1]);
          const found = isOne ? match?.[0] : undefined;
          // One comparison a place: a million of `expect` take ten times as long.
          if (own !== found) expect(own, JSON.stringify([text, at])).toBe(found);
        }
      }
    }),
    { numRuns: 10_000 },
  );
});
