import { describe, expect, test } from 'vitest';
import { compileRedaction, redactText } from '../../../src/capture/redaction/index.ts';
import { BASE62, chars, seeded } from './samples.ts';

const { options } = compileRedaction(undefined);
const redacted = (text: string): string => redactText(text, options).text;

const TOLD = [
  'mot de passe: #',
  'Mot de passe : #',
  'das Passwort ist #.',
  'Passwort: #',
  'Kennwort: "#"',
  'senha: #',
  'a senha é #',
  'contraseña: #',
  'la contraseña es #, gracias',
  'wachtwoord: #',
  'lösenord: #',
  'heslo: #',
  'Heslo je #',
  'parola: #',
  'hasło: #',
  'Hasło to #.',
  'HASŁO=#',
  'пароль: #',
  'Пароль — #',
  'ПАРОЛЬ: #',
  'парола: #',
  'şifre: #',
  'Şifre = #',
  'mật khẩu là #',
  '密码：#',
  '密码是#。',
  '密碼: #',
  '**密码**：`#`',
  'パスワード：#',
  'パスワードは「#」です',
  '비밀번호: #',
  '비밀번호는 #',
  'Password：#',
  'password： #',
  'user: bob pass: #',
  '{"пароль":"#"}',
  '{"body":"{\\"пароль\\": \\"#\\"}"}',
  '\x1b[1m密码\x1b[0m：#',
];

describe.each([1, 2, 3])('seed %i', (seed) => {
  const random = seeded(seed);
  const password = `${chars(random, BASE62, 6)}7!${chars(random, BASE62, 4)}`;

  test.each(TOLD)('a password goes that is told in another language: %s', (text) => {
    expect(redacted(text.replace('#', password))).toBe(text.replace('#', '[REDACTED:PASSWORD]'));
  });

  test.each([
    'my token is #',
    'The secret is #.',
    'token is now #',
    'my api key is #',
    'The API key is #.',
    'our secret key is now "#"',
  ])('a token that is told in a sentence goes: %s', (text) => {
    const token = `${chars(random, BASE62, 8)}1a2b3c${chars(random, BASE62, 18)}`;
    expect(redacted(text.replace('#', token))).toMatch(/\[REDACTED:[A-Z-]+\][."]?$/);
  });

  test.each(['# $', '# / $', '#: $', 'aws_secret_access_key $'])(
    'the secret of an AWS key goes right behind its id or its name: %s',
    (text) => {
      const id = `AKIA${chars(random, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 16)}`;
      const secret = `${chars(random, BASE62, 18)}/a7Z${chars(random, BASE62, 18)}`;
      const left = redacted(text.replace('#', id).replace('$', secret));
      expect(left).toMatch(/ \[REDACTED:AWS-SECRET-KEY\]$/);
      expect(left).not.toContain(id);
    },
  );
});

test.each([
  '["--password", "--token", "--verbose"]',
  '["--password", "$DB_PASSWORD"]',
  '["user", "password", "createdAt2"]',
  'const names = ["--token", "<your-token>"];',
  'Passwort ist erforderlich',
  'Das Passwort: bitte eingeben',
  'mot de passe: obligatoire',
  'la contraseña es obligatoria',
  'the token is 9f86d081',
  'the token is refreshed-every-3600-seconds',
  'the secret is stored in kubernetes-namespace-1',
  'aws_secret_access_key is read from the environment',
  'пароль должен быть не короче 12 символов',
  'Пароль: обязательное поле',
  '密码长度为8到16位',
  '密码：%DB_PASSWORD_2%',
  'パスワード：8文字以上',
  'hasło: pole wymagane (min. 8 znaków)',
  'şifre: en az 8 karakter',
  'heslo: String',
  'the api key is required',
  'the API key is base64-encoded-with-padding',
])('what is said of secrets stays: %s', (text) => {
  expect(redacted(text)).toBe(text);
});
