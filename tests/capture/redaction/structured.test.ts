import { describe, expect, it } from 'vitest';
import { compileRedaction, redactText, redactValue } from '../../../src/capture/redaction/index.ts';

const { options } = compileRedaction();
const SECRET = 'k7Qz9xVb2mWt4LpR8sYd';
const LETTERS = 'WYooNOjatvcihPEspxSc';

/** As tools of MCP servers are given their secrets: by what stands around them in an object. */
const OBJECTS: Record<string, (secret: string) => unknown> = {
  'a header without a scheme': (secret) => ({ headers: { Authorization: secret } }),
  'an argument behind its option': (secret) => ({
    args: ['deploy', '--password', secret, '--now'],
  }),
  'an argument behind an option of redis': (secret) => ['redis-server', '--requirepass', secret],
  'a list of passwords': (secret) => ({ passwords: ['changeme', secret] }),
  'a list of tokens': (secret) => ({ apiTokens: [secret] }),
  'the value of an object called so': (secret) => ({ secret: { value: secret } }),
  'the data of a Kubernetes secret': (secret) => ({
    kind: 'Secret',
    data: { x: Buffer.from(secret).toString('base64') },
  }),
  'the text of a Kubernetes secret': (secret) => ({
    items: [{ kind: 'Secret', stringData: { x: secret } }],
  }),
};

const TEXTS: Record<string, (secret: string) => string> = {
  'a header without a scheme': (secret) => `GET / HTTP/1.1\nAuthorization: ${secret}\nAccept: */*`,
  'a header in JSON': (secret) => JSON.stringify({ headers: { authorization: secret } }),
  'a header in JSON in JSON': (secret) =>
    JSON.stringify(JSON.stringify({ headers: { authorization: secret } })),
};

const isGone = (text: string, secret: string) =>
  !text.includes(secret) && !text.includes(Buffer.from(secret).toString('base64'));

describe('a secret is found in', () => {
  for (const [name, wrap] of Object.entries(OBJECTS))
    it.each([SECRET, LETTERS])(`${name}: %s`, (secret) => {
      const { value, counts } = redactValue({ tool_input: wrap(secret) }, options);
      expect(isGone(JSON.stringify(value), secret)).toBe(true);
      expect(Object.values(counts).length).toBeGreaterThan(0);
    });

  for (const [name, wrap] of Object.entries(TEXTS))
    it.each([SECRET, LETTERS])(`the text of ${name}: %s`, (secret) => {
      expect(isGone(redactText(wrap(secret), options).text, secret)).toBe(true);
    });
});

describe('what stands in such places and is none', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it stands so in settings
  const REFERENCE = '${TOKEN}';
  it.each([
    { headers: { Authorization: '<your-token-goes-here>' } },
    { args: ['--password', '--now', '--token', 'changeme'] },
    { args: ['--password-stdin', 'registry.example.org'] },
    {
      tokens: ['the', 'words', 'of', 'sentences'],
      keys: ['firstName', 'lastName', 'emailAddress'],
    },
    { secret: { value: REFERENCE }, setting: { value: SECRET } },
    { kind: 'ConfigMap', data: { x: SECRET } },
    { kind: 'Secret', data: { x: '<base64>' }, type: 'Opaque' },
  ])('is left alone: %j', (value) => {
    expect(redactValue(value, options).value).toBe(value);
  });

  it('is left to the user where only what was marked is one', () => {
    const own = compileRedaction({ builtin: false }).options;
    const value = { kind: 'Secret', stringData: { x: SECRET } };
    expect(redactValue(value, own).value).toEqual(value);
  });

  it.each([
    'Authorization: AWS4-HMAC-SHA256 Credential=x',
    'const authorization = request.headers.authorization;',
    'authorization: authorizationMiddleware2Factory',
  ])('is left alone in a text: %s', (text) => {
    expect(redactText(text, options).text).toBe(text);
  });
});

describe('a Kubernetes secret in YAML', () => {
  const OTHERS = ['m9Xq2LpZ77tWv', 'q8Rk3NsY55uTb', 'w7Vj4MtX66iCd'];
  const manifest = `apiVersion: v1
kind: Secret
stringData:
  # what the server is given
  first: "${SECRET}"
  second: '${OTHERS[0]}' # in marks

  third: ${OTHERS[1]}
  # the last one
  fourth: ${OTHERS[2]}
`;

  it.each([
    ['as it is', (text: string) => text],
    ['with CRLF', (text: string) => text.replaceAll('\n', '\r\n')],
    ['in a text of JSON', (text: string) => JSON.stringify({ text })],
    ['added by a diff', (text: string) => text.replace(/^/gm, '+')],
  ])('has all its values hidden, behind marks and remarks: %s', (_, put) => {
    const { text } = redactText(put(manifest), options);
    for (const value of [SECRET, ...OTHERS]) expect(text).not.toContain(value);
    expect(text).toContain('# the last one');
  });
});

describe('lines of five parts between colons', () => {
  it.each(['daemon:*:19579:0:99999:7:::', 'operator:*:2:5::0:0:System &:/:/usr/sbin/nologin'])(
    'are no .pgpass where two numbers follow each other: %s',
    (line) => {
      expect(redactText(`${line}\n`, options).text).toBe(`${line}\n`);
    },
  );

  it('are one where a database and a user do', () => {
    const line = `db.internal:5432:shop:app:${SECRET}`;
    expect(redactText(line, options).text).toBe(
      'db.internal:5432:shop:app:[REDACTED:PGPASS-PASSWORD]',
    );
  });
});
