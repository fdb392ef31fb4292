import { describe, expect, it } from 'vitest';
import { compileRedaction, redactText } from '../../../src/capture/redaction/index.ts';
import { STRONG_PLACES, strongRecall } from './corpus/strong.ts';

const { options } = compileRedaction();
const redact = (text: string) => redactText(text, options).text;

/** `#` is the value and, in the result, the marker. */
function expectHidden(template: string, value: string, id = 'PASSWORD'): void {
  const line = (inside: string) => template.replace('#', () => inside);
  for (const wrap of [(text: string) => text, (text: string) => JSON.stringify({ text })])
    expect(redact(wrap(line(JSON.stringify(value).slice(1, -1))))).toBe(
      wrap(line(`[REDACTED:${id}]`)),
    );
}

describe('passwords full of signs', () => {
  it.each(STRONG_PLACES)('leave no piece: $name', (place) => {
    const { found, of } = strongRecall(place, 100);
    expect(found / of).toBeGreaterThanOrEqual(0.95);
  });
});

describe('a value of a settings line', () => {
  it.each([
    'aB3;kd9&Lw(q',
    'K9x2vQ7m(LyOtail9)',
    'p{f9wkkh}9[kSWQFF]',
    'K9x2vQ7m&LyMtail9',
    '$ecretK9x2vq',
    'K9x2xxxxvQ7ma8',
    'K9x2q...vQ7ma8',
    '/lTHBb/IMfej57XI',
    '<eg1DZNsG>',
    '{3EoXjsm6ek',
    'your-1-and-only-kpj7XYzq9',
    '>fbWoMN};43U9Tk',
  ])('goes to its end: %s', (value) => {
    expectHidden('A=1\nDB_PASSWORD=#\nB=2', value);
    expectHidden('export DB_PASSWORD=# # comment', value);
  });

  it('ends where a command does', () => {
    expect(redact('DB_PASSWORD=hunter2; npm start')).toBe(
      'DB_PASSWORD=[REDACTED:PASSWORD]; npm start',
    );
    expect(redact('password=K9x2vQ7m&LyMtail9&x=1')).toBe('password=[REDACTED:PASSWORD]&x=1');
    expect(redact('f(\n    password=K9x2vQ7m)')).toBe('f(\n    password=[REDACTED:PASSWORD])');
  });

  it('may stand in lower case', () => {
    expectHidden('spring.datasource.password=#', 'Spr1ng;P@ss');
    expectHidden('a:\n  password: #\n  b: 1', 'K9x2vQ7m&LyMt(ail9');
    expectHidden('password: #', '!Ung1kD8sx');
    expectHidden('password: #', '-Fqa7kD8sx');
  });

  it.each([
    'DB_PASSWORD=getpass("Enter it2: ")',
    'API_TOKEN=get_token2(config)',
    'API_TOKEN=secrets["x1"]',
    'PWD=/lib/K9x2vQ7m',
    'API_KEY=<api-key-2>',
    'DB_PASSWORD=$DB_PASS_2',
    'DB_PASSWORD=$\x7bDB_PASS',
    'TOKEN=sk-abcd...wxyz',
    'password: tokens[0].v2,',
    '  token: z.string().min(8),',
    'token=oauth2.fetch(a,b1c2)',
  ])('is code or a reference: %s', (line) => {
    expect(redact(line)).toBe(line);
  });
});

describe('a value in quotation marks', () => {
  it('goes to the mark that closes it, whatever stands before', () => {
    expectHidden("curl -u 'bob:#' https://x", 'K9x2vQ7m&LzMtail9;x', 'COMMAND-PASSWORD');
    expectHidden("mysql -p'#' db", 'K9x2vQ7m&LzOtail9', 'COMMAND-PASSWORD');
    expectHidden("curl -u 'bob:#' x", 'K9x2vQ7m LzNtail9', 'COMMAND-PASSWORD');
    expect(redact(`curl -u "bob:K9x2vQ7m LzNtail9" x`)).toBe(
      'curl -u "bob:[REDACTED:COMMAND-PASSWORD]" x',
    );
  });

  it('may hold the mark twice', () => {
    expectHidden("password: '#'\nuser: me", "K9x2vQ7m''LyYtail9");
    expect(redact("{'password': 'K9x2vQ7m', 'user': ''}")).toBe(
      "{'password': '[REDACTED:PASSWORD]', 'user': ''}",
    );
  });
});
