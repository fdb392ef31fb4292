import { BASE62, BASE64, chars, pick, type Random, seeded } from '../samples.ts';
import { assigned, type Context } from './contexts.ts';
import { isGone, type Recall } from './recall.ts';

/** Passwords as people tell them to an agent or to each other, in languages beyond Latin-1 and behind their colon, too. */
export const TOLD_PASSWORDS: readonly Context[] = [
  assigned('English', 'the admin password is ', '.'),
  assigned('English, full-width colon', 'Password：', '\n'),
  assigned('pw', 'the pw is ', '.'),
  assigned('user and pass', 'user: bob pass: ', '\n'),
  assigned('login', 'Open the page and login admin / ', '\n'),
  assigned('login as', 'You can log in as `me@example.org` / `', '`.'),
  assigned('user/pass', 'user/pass: admin / ', '\n'),
  assigned('username and password', 'Username / Password: root / ', '\n'),
  assigned('credentials', '**Credentials:** admin / ', '\n'),
  assigned('credentials, a colon', 'default credentials are admin:', '.'),
  assigned('for someone', 'A temporary password is generated for root@localhost: ', '\n'),
  assigned('of someone', 'The password of user "bob" is ', '\n'),
  assigned('set to', 'password was reset to ', '.'),
  assigned('msmtp', 'account x\nhost smtp.example.org\nuser me\npassword ', '\n'),
  assigned('with password', 'log in as admin with password ', ' please'),
  assigned('Markdown, a table', '| Name | Value |\n| --- | --- |\n| DB_PASSWORD | ', ' |\n'),
  assigned('a drawn table', '│ DB_PASSWORD   │ ', '   │\n'),
  assigned('psql, a record', '-[ RECORD 1 ]---\nid       | 1\npassword | ', '\n'),
  assigned('French', 'le mot de passe : ', ', merci'),
  assigned('German', 'Das Passwort ist ', '.'),
  assigned('Spanish', 'la contraseña es ', ''),
  assigned('Portuguese', 'senha: ', '\n'),
  assigned('Polish', 'hasło: ', '\n'),
  assigned('Polish, in a sentence', 'Hasło to ', '.'),
  assigned('Czech', 'heslo je ', '.'),
  assigned('Turkish', 'Şifre: ', '\n'),
  assigned('Russian', 'логин admin, пароль: ', '\n'),
  assigned('Russian, capitals', 'ПАРОЛЬ=', '\n'),
  assigned('Russian, a dash', 'Пароль — ', ', не забудь'),
  assigned('Chinese', '数据库密码：', '，请勿外传'),
  assigned('Chinese, in a sentence', '密码是', '。'),
  assigned('Chinese, JSON', '{"密码":"', '"}'),
  assigned('Japanese', 'パスワード：', '\n'),
  assigned('Japanese, in a sentence', 'パスワードは', 'です。'),
  assigned('Korean', '비밀번호: ', '\n'),
  assigned('Vietnamese', 'mật khẩu là ', '.'),
];

/** The same of keys. */
export const TOLD_KEYS: readonly Context[] = [
  assigned('my api key', 'my api key is ', ', use it'),
  assigned('the API key', 'The API key is ', '.'),
  assigned('the secret key, in marks', 'the secret key is now "', '"'),
  assigned('my token', 'my token is ', ''),
  assigned('use my api key', 'use my api key ', ' for the weather'),
  assigned('the key', 'the key is ', ', use it'),
  assigned('in a URL', 'https://maps.example.com/v1/x?q=Paris&key=', '&page=2'),
  assigned('in a URL, escaped', '{"url":"https://x.example/weather?q=1\\u0026appid=', '"}'),
];

/** With a digit, and as long as no word is taken for one. */
const PASSWORDS: readonly ((random: Random) => string)[] = [
  (random) =>
    chars(random, 'abcdefghijkmnopqrstuvwxyz', 7 + random(4)) +
    chars(random, '23456789', 1 + random(3)) +
    pick(random, ['', '!', '_', '%']),
  (random) => `${chars(random, BASE62, 7 + random(14))}7${chars(random, BASE62, 1)}`,
  (random) =>
    `${chars(random, BASE62, 5)}!${chars(random, BASE62, 4)}#3${chars(random, BASE62, 2)}`,
];
const KEYS: readonly ((random: Random) => string)[] = [
  (random) => chars(random, '0123456789abcdef', 32),
  (random) => chars(random, BASE62, 40),
  (random) => `${chars(random, BASE62, 23)}7`,
  (random) => `${chars(random, BASE64, 39)}xK7=`,
];

const recallWith = (
  makers: readonly ((random: Random) => string)[],
  context: Context,
  samples: number,
): Recall => {
  const random = seeded(11);
  const recall = { found: 0, named: 0, of: samples };
  for (let index = 0; index < samples; index += 1) {
    const secret = makers[index % makers.length]!(random);
    if (isGone(context.wrap(secret, secret, random))) recall.found += 1;
  }
  return recall;
};

/** How much of what is told so is gone. */
export const toldPasswordRecall = (context: Context, samples: number): Recall =>
  recallWith(PASSWORDS, context, samples);
export const toldKeyRecall = (context: Context, samples: number): Recall =>
  recallWith(KEYS, context, samples);
