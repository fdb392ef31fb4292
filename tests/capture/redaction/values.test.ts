import { describe, expect, it } from 'vitest';
import {
  isMachineSecret,
  isPassValue,
  isPassword,
  isPlaceholder,
  isTemplate,
} from '../../../src/capture/redaction/values.ts';
import { BASE62, chars, HEX, seeded } from './samples.ts';

describe('templates', () => {
  it.each([
    '',
    '<key>',
    '$\x7bKEY}',
    '$(pass show x)',
    '$KEY',
    '{{ key }}',
    '%s',
    '%(key)s',
    '%KEY%',
    '@KEY@',
    '[REDACTED:X]',
    '****',
    'xxxx',
    '.....',
    'abc…',
    'sk-xxxxxx',
    'process.env.KEY',
    'os.environ',
    'op://vault/item',
  ])('%s is one', (value) => {
    expect(isTemplate(value)).toBe(true);
    expect(isPlaceholder(value)).toBe(true);
  });

  it.each(['hunter2', '$2b$10$abcdefghijklmnopqrstuv', 'p%40ss', 'a<b', 'environment7'])(
    '%s is none',
    (value) => {
      expect(isTemplate(value)).toBe(false);
    },
  );
});

describe('placeholders', () => {
  it.each([
    'changeme',
    'change-me',
    'your-api-key',
    'YOUR_TOKEN',
    'replace_with_key',
    'my_password',
    'test-token',
    'apikey',
    'example',
    'dummy-key-1',
    'None',
    'null',
    'string',
    'Bearer',
  ])('%s is one', (value) => {
    expect(isPlaceholder(value)).toBe(true);
    expect(isTemplate(value)).toBe(false);
  });

  it.each(['hunter2', 'letmein', 'correct7horse', 'stringent1'])('%s is none', (value) => {
    expect(isPlaceholder(value)).toBe(false);
  });
});

describe("machines' secrets", () => {
  it('have letters and digits and a length that depends on where they stand', () => {
    expect(isMachineSecret('a1b2c3d4', 'quoted')).toBe(true);
    expect(isMachineSecret('a1b2c3d', 'quoted')).toBe(false);
    expect(isMachineSecret('a1b2c3d4', 'env')).toBe(true);
    expect(isMachineSecret('a1b2c3d', 'bare')).toBe(false);
    expect(isMachineSecret('a1b2c3d4', 'bare')).toBe(true);
    expect(isMachineSecret('123456789012', 'quoted')).toBe(false);
    expect(isMachineSecret('a1b2 c3d4 e5f6', 'quoted')).toBe(false);
  });

  it.each([
    'my-secret-name',
    'refresh_token_v2',
    'getTokenFromUrl2',
    'sha256-base64Value',
    'users/12/tokens',
    'https://x.example/a1b2',
    '/run/secrets/db1',
    '1.2.3-beta4',
    'application/vnd.api+json',
  ])('are not %s', (value) => {
    expect(isMachineSecret(value, 'quoted')).toBe(false);
  });

  it('may begin with a slash, as base64 does', () => {
    expect(isMachineSecret('/aB3dE5gH7jK9mN1pQ3sT5vX7zB9dF1h', 'quoted')).toBe(true);
  });

  it('are recognised nearly always when they are random', () => {
    const random = seeded(99);
    const share = (alphabet: string, count: number) =>
      Array.from({ length: 5000 }, () => chars(random, alphabet, count)).filter((value) =>
        isMachineSecret(value, 'bare'),
      ).length / 5000;
    expect(share(BASE62, 32)).toBeGreaterThan(0.99);
    expect(share(BASE62, 40)).toBeGreaterThan(0.99);
    expect(share(HEX, 32)).toBeGreaterThan(0.99);
  });

  it('may be one home-made word in an env line', () => {
    expect(isMachineSecret('mysupersecretkey', 'env')).toBe(true);
    expect(isMachineSecret('abcdefghijk', 'env')).toBe(false);
    expect(isMachineSecret('mysupersecretkey', 'quoted')).toBe(false);
  });
});

describe("people's passwords", () => {
  it('have a length that depends on where they stand', () => {
    expect(isPassword('abc1', 'quoted')).toBe(true);
    expect(isPassword('ab1', 'quoted')).toBe(false);
    expect(isPassword('abc12', 'bare')).toBe(false);
    expect(isPassword('abc123', 'bare')).toBe(true);
  });

  it.each([
    'user.password',
    'newPassword',
    'Passwort',
    'errors.pwd.short',
    '12345',
    '0x1234',
    '^1.2.3',
    'too short 1',
    '/home/me/x1',
    './x1y2',
    'C:\\x1y2',
  ])('are not %s', (value) => {
    expect(isPassword(value, 'quoted')).toBe(false);
  });

  it.each([
    'password2',
    '!this.x1',
    '$user::x1',
    '--input2',
    'a?.b2c3',
    'config.v2.x',
    'letmein',
    'word2:',
  ])('are not %s without quotation marks', (value) => {
    expect(isPassword(value, 'bare')).toBe(false);
  });

  it('under pass need quotation marks and a digit, or an env line', () => {
    expect(isPassValue('hunter2', 'quoted')).toBe(true);
    expect(isPassValue('letmein', 'quoted')).toBe(false);
    expect(isPassValue('letmein', 'env')).toBe(true);
    expect(isPassValue('hunter2', 'bare')).toBe(false);
  });
});

describe('letters alone, without quotation marks', () => {
  it.each(['WYooNOjatvcihPEspxSc', 'kQzRvTbN', 'hjxwqpzkdtgb', 'correct-horse-battery-staple'])(
    'are a password where a machine or a generator of phrases made them: %s',
    (value) => {
      expect(isPassword(value, 'bare')).toBe(true);
    },
  );

  it.each(['WYooNOjatvcihPEspxSc', 'kQzRvTbN', 'hjxwqpzkdtgb'])('are a token: %s', (value) => {
    expect(isMachineSecret(value, 'bare')).toBe(true);
    expect(isPassValue(value, 'bare')).toBe(true);
  });

  it.each([
    'getUserPassword',
    'authstate',
    'HashedCredentialProvider',
    'byteOffset',
    'refresh-token-name',
    'kubernetes',
    'encryptionKeyVaultReference',
    'matchResult',
    'tokenizerBackground',
  ])('are none where they are words: %s', (value) => {
    for (const is of [isPassword, isMachineSecret, isPassValue])
      expect(is(value, 'bare')).toBe(false);
  });
});
