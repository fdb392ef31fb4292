import { describe, expect, it } from 'vitest';
import { compileRedaction, redactText, redactValue } from '../../../src/capture/redaction/index.ts';
import { isMnemonic, isPassPhrase, isPhrase } from '../../../src/capture/redaction/pass-phrase.ts';

const { options } = compileRedaction();
const redacted = (text: string) => redactText(text, options).text;

const WALLET =
  'zoo window battery forest thunder marble river sausage candle staple silver tiger'.split(' ');

describe('a pass phrase', () => {
  it.each([
    'correct horse battery 9',
    'two words 12',
    'orange river candle window',
    'marble tiger2 silver forest pencil',
  ])('is several words that no sentence holds together: %s', (value) => {
    expect(isPhrase(value)).toBe(true);
  });

  it.each([
    'correct horse',
    'orange river candle',
    'the orange river candle 9',
    'Orange river candle 9',
    'orange river, candle 9',
    'nouveau mot de passe choisi',
    'wrong letters typed twice',
    'hunter npm run build 2',
    `${'orange '.repeat(13)}9`,
    'lint unit mypy ruff',
    'eslint vitest tsc 3',
  ])('is not one, but a message, a label or a command: %s', (value) => {
    expect(isPhrase(value)).toBe(false);
  });

  it('may have capitals and signs under a name in upper case, but not those of a sentence', () => {
    expect(isPassPhrase('DB_PASSWORD', 'Correct Horse Battery 9')).toBe(true);
    expect(isPassPhrase('DB_PASSWORD', 'x7#kLp2 m;9vQ')).toBe(true);
    expect(isPassPhrase('DB_PASSWORD', 'Correct horse battery 9')).toBe(false);
    expect(isPassPhrase('DB_PASSWORD', 'see x7#kLp2 in the vault')).toBe(false);
    expect(isPassPhrase('DB_PASSWORD', 'a1b2c3 $SUFFIX')).toBe(false);
    expect(isPassPhrase('DB_PASSWORD', 'lint unit mypy ruff')).toBe(false);
  });

  it('may say whose something is under such a name, where a number ends it', () => {
    expect(isPassPhrase('DB_PASSWORD', 'my dog Rex 1987')).toBe(true);
    expect(isPassPhrase('DB_PASSWORD', 'our cat Tom 42!')).toBe(true);
    expect(isPassPhrase('DB_PASSWORD', 'my app needs 12')).toBe(false);
    expect(isPassPhrase('DB_PASSWORD', 'Our Privacy Policy 2024')).toBe(false);
    expect(isPassPhrase('DB_PASSWORD', 'smoke river unit lamp')).toBe(true);
    expect(isPassPhrase('DB_PASSWORD', 'my dog Rex barks')).toBe(false);
    expect(isPassPhrase('DB_PASSWORD', 'my dog is 19')).toBe(false);
    expect(isPassPhrase('DB_PASSWORD', 'our minimum length 12')).toBe(false);
    expect(isPhrase('my dog Rex 1987')).toBe(false);
  });

  it('goes to the end of its line, and no word of it stays', () => {
    expect(redacted('A=1\nDB_PASSWORD=correct horse battery 9\nB=2')).toBe(
      'A=1\nDB_PASSWORD=[REDACTED:PASSWORD]\nB=2',
    );
    expect(redacted('export PASS="two words 12" && npm start')).toBe(
      'export PASS="[REDACTED:PASSWORD]" && npm start',
    );
    expect(redacted('password: correct horse battery 9 # of the test')).toBe(
      'password: [REDACTED:PASSWORD] # of the test',
    );
  });

  it('is not what a shell runs behind an assignment', () => {
    expect(redacted('PGPASSWORD=hunter27 psql mydb app 5432')).toBe(
      'PGPASSWORD=[REDACTED:PASSWORD] psql mydb app 5432',
    );
  });

  it('is found as the value of an object', () => {
    const value = { password: 'correct horse battery 9', title: 'correct horse battery 9' };
    expect(redactValue(value, options).value).toEqual({
      ...value,
      password: '[REDACTED:PASSWORD]',
    });
    const env = { DB_PASS: 'Correct Horse Battery 9', HELP: 'Correct Horse Battery 9' };
    expect(redactValue(env, options).value).toEqual({ ...env, DB_PASS: '[REDACTED:PASSWORD]' });
  });
});

describe('the words of a wallet', () => {
  it('are 12, 15, 18, 21 or 24, and not one word again and again', () => {
    expect(isMnemonic(WALLET.join(' '))).toBe(true);
    expect(isMnemonic([...WALLET, 'zebra'].join(' '))).toBe(false);
    expect(isMnemonic(WALLET.slice(1).join(' '))).toBe(false);
    expect(isMnemonic([...WALLET, ...WALLET].join(' '))).toBe(true);
    expect(isMnemonic([...Array(11).fill('test'), 'junk'].join(' '))).toBe(false);
  });

  it('are no sentence', () => {
    expect(isMnemonic(['the', ...WALLET.slice(1)].join(' '))).toBe(false);
  });

  it('are found as the value of an object', () => {
    expect(redactValue({ mnemonic: WALLET.join(' ') }, options).value).toEqual({
      mnemonic: '[REDACTED:SECRET]',
    });
  });
});
