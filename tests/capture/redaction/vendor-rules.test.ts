import { describe, expect, it } from 'vitest';
import { compileRedaction, redactText } from '../../../src/capture/redaction/index.ts';
import { BASE62, chars, HEX, seeded } from './samples.ts';

const { options } = compileRedaction();
const redact = (text: string) => redactText(text, options).text;
const random = seeded(42);
const run = (count: number, alphabet = BASE62) => chars(random, alphabet, count);

/** The shortest token of each kind, and the same with one character less, which is none. */
const SHORTEST: [id: string, prefix: string, count: number, alphabet?: string][] = [
  ['GITHUB-TOKEN', 'ghp_', 36],
  ['GITHUB-TOKEN', 'ghs_', 36],
  ['GITHUB-TOKEN', 'github_pat_', 36],
  ['NPM-TOKEN', 'npm_', 36],
  ['SLACK-TOKEN', 'xoxb-1', 9],
  ['SLACK-TOKEN', 'xapp-1', 9],
  ['ANTHROPIC-KEY', 'sk-ant-', 40],
  ['OPENAI-KEY', 'sk-', 32],
  ['OPENAI-KEY', 'sk-proj-', 32],
  ['OPENROUTER-KEY', 'sk-or-v1-', 32, HEX],
  ['GOOGLE-API-KEY', 'AIza', 35],
  ['GOOGLE-OAUTH', 'ya29.', 20],
  ['GOOGLE-OAUTH', 'GOCSPX-', 28],
  ['AWS-ACCESS-KEY', 'AKIA', 16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'],
];

describe('tokens with a prefix of their vendor', () => {
  it.each(SHORTEST)(
    '%s: %s and %i characters, not one less',
    (id, prefix, count, alphabet = BASE62) => {
      const body = run(count, alphabet);
      expect(redact(`a ${prefix}${body} b`)).toBe(`a [REDACTED:${id}] b`);
      expect(redact(`a ${prefix}${body.slice(1)} b`)).toBe(`a ${prefix}${body.slice(1)} b`);
    },
  );

  it('are found after what ends in a letter but is none: an escape, a colour, a percent sign', () => {
    for (const before of [
      '\\n',
      '\\t',
      '\\r\\n',
      '\\u0022',
      '\x1b[31m',
      '\\u001b[1;31m',
      '%20',
      '%3D',
    ]) {
      for (const [id, prefix, count, alphabet] of SHORTEST) {
        expect(redact(`x${before}${prefix}${run(count, alphabet)}`)).toBe(
          `x${before}[REDACTED:${id}]`,
        );
      }
    }
  });

  it('whose prefix ends another word are none', () => {
    for (const word of [
      `ta${'sk-'}`,
      `di${'sk-'}`,
      `x${'AKIA'}`,
      `p${'npm_'}`,
      `x${'AIza'}`,
      `x${'ya29.'}`,
    ]) {
      const text = `${word}${run(35, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567').slice(0, word.endsWith('AKIA') ? 16 : 35)}`;
      expect(redact(text)).toBe(text);
    }
  });

  it('of a fixed length are none when more follows', () => {
    const access = `AKIA${run(17, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')}`;
    const key = `AIza${run(36)}`;
    expect(redact(`${access} ${key}`)).toBe(`${access} ${key}`);
  });

  it('take a GitHub app token with its dots', () => {
    const token = `ghs_${run(36)}.${run(60)}.${run(43)}`;
    expect(redact(`${token} and`)).toBe('[REDACTED:GITHUB-TOKEN] and');
    expect(redact(`ghp_${run(36)}.txt`)).toBe('[REDACTED:GITHUB-TOKEN].txt');
  });

  it.each([
    ["boto3.Session('", "', '"],
    ['new BasicAWSCredentials("', '", "'],
  ])('take the secret of an AWS key that is the next argument: %s', (before, between) => {
    const id = `AKIA${run(16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')}`;
    expect(redact(`${before}${id}${between}${run(38)}aB${between[0]})`)).toBe(
      `${before}[REDACTED:AWS-ACCESS-KEY]${between}[REDACTED:AWS-SECRET-KEY]${between[0]})`,
    );
  });

  it('take an OpenAI key with a name in it', () => {
    const key = `sk-my-project-${run(20)}T3Blbk${'FJ'}${run(20)}`;
    expect(redact(`${key}.`)).toBe('[REDACTED:OPENAI-KEY].');
  });
});

describe('.npmrc', () => {
  it('keeps the registry and hides the token, whatever it looks like', () => {
    const token = `00000000-aaaa-4bbb-8ccc-${run(12, HEX)}`;
    const MARKER = '[REDACTED:NPM-TOKEN]';
    for (const name of ['_authToken', '_auth', '_password']) {
      expect(redact(`//r.example/:${name}=${token}\nx`)).toBe(`//r.example/:${name}=${MARKER}\nx`);
      expect(redact(`//r.example/:${name} = "${token}"`)).toBe(
        `//r.example/:${name} = "${MARKER}"`,
      );
      expect(redact(`a\n${name}=${token}`)).toBe(`a\n${name}=${MARKER}`);
    }
    expect(redact(`npm config set //r.example/:_authToken ${token}`)).toBe(
      `npm config set //r.example/:_authToken ${MARKER}`,
    );
  });
});

describe('Slack webhooks', () => {
  it('keep their host and hide their path, also with escaped slashes', () => {
    const path = [`T${run(9, HEX).toUpperCase()}`, `B${run(9, HEX).toUpperCase()}`, run(24)];
    const MARKER = '[REDACTED:SLACK-WEBHOOK]';
    for (const slash of ['/', '\\/', '%2F']) {
      const host = ['hooks.slack.com', 'services', ''].join(slash);
      expect(redact(`${host}${path.join(slash)}"`)).toBe(`${host}${MARKER}"`);
    }
    const docs = 'https://hooks.slack.com/services/your/webhook/url';
    expect(redact(docs)).toBe(docs);
  });
});

describe('JSON web tokens', () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const header = part({ alg: 'none', typ: 'JWT' });
  const payload = part({ sub: 'someone', iat: 1_700_000_000 });

  it('are found signed, unsigned and encrypted', () => {
    for (const token of [
      `${header}.${payload}.${run(43)}`,
      `${header}.${payload}.`,
      [header, '', run(16), run(40), run(22)].join('.'),
    ]) {
      expect(redact(`"${token}"`)).toBe('"[REDACTED:JWT]"');
    }
  });

  it('need their first two parts', () => {
    for (const text of [
      header,
      `${header}.${payload}`,
      `x${header}.${payload}.${run(10)}`,
      `${header}.foo.bar`,
    ]) {
      expect(redact(text)).toBe(text);
    }
  });
});

describe('the credentials of an .npmrc without a registry', () => {
  it.each(['', '     4\u2192', '12\t', '4:', '+', '-', 'a=1\n'])(
    'are found behind %j',
    (before) => {
      expect(redact(`${before}_auth=bWU6UGlja2xlTWFwbGUyNSE=`)).toBe(
        `${before}_auth=[REDACTED:NPM-TOKEN]`,
      );
    },
  );

  it('are not what only ends like their name', () => {
    const text = 'basic_auth=bWU6UGlja2xlTWFwbGUyNSE=';
    expect(redact(text)).not.toContain('NPM-TOKEN');
  });
});

describe('the keys at the end of URLs of nodes', () => {
  const key = '9aa3d95b3bc440fa88ea12eaa4456161';

  it.each([
    [`https://mainnet.infura.io/v3/${key}`, 'https://mainnet.[REDACTED:INFURA-KEY]'],
    [`"wss://eth-mainnet.g.alchemy.com/v2/${key}"`, '"wss://eth-mainnet.[REDACTED:ALCHEMY-KEY]"'],
    [`https://a-b.quiknode.pro/${key}01234567/`, 'https://a-b.[REDACTED:QUICKNODE-KEY]/'],
  ])('go: %s', (text, left) => {
    expect(redact(text)).toBe(left);
  });

  it.each([
    'https://mainnet.infura.io/v3/YOUR-PROJECT-ID',
    'https://mainnet.infura.io/v3/<your project id>',
    'https://eth-mainnet.g.alchemy.com/v2/your-api-key-goes-here',
    'https://docs.quiknode.pro/guides/getting-started-with-nodes',
  ])('are not what stands where one would: %s', (text) => {
    expect(redact(text)).toBe(text);
  });
});

describe('the key below Jwt in appsettings.json', () => {
  const key = 'Th1sIsTheKeyOfAllTokens';

  it('goes, on one line or over several', () => {
    for (const [before, behind] of [
      ['"Jwt": {"Key": "', '"}'],
      ['"JwtSettings": {\n    "Issuer": "https://a",\n    "Key": "', '",\n    "Hours": 8\n  }'],
    ])
      expect(redact(`${before}${key}${behind}`)).toBe(`${before}[REDACTED:SECRET]${behind}`);
  });

  it.each([
    `"Jwt": {"PublicKey": "${key}"}`,
    `"Jwt": {"Issuer": "x"}, "Key": "${key}"`,
    '"Jwt": {"Key": "<put-your-own-key-here>"}',
    '"Jwt": {"Key": "the name of it"}',
    `"Jwtx.Key": "${key}"`,
  ])('is none of %s', (text) => {
    expect(redact(text)).toBe(text);
  });
});
