import * as KIND from '../kinds.ts';

/** What makes a key a secret, where a space stands between them: `API Key: …`. */
export const SPACED_WORDS: readonly string[] = (
  'api app access secret private auth encryption signing account master shared subscription webhook license admin ' +
  'fernet unseal recovery'
).split(' ');

/** The words of each kind but tokens, whose words are those of the table. At least three characters, no tab. */
export const LITERALS: Readonly<Record<number, readonly string[]>> = {
  [KIND.key]: ['key', 'keybase'],
  [KIND.secret]: ['secret', 'secretvalue', 'secretstring', 'token', 'credential', 'credentials'],
  [KIND.password]: ['password', 'passwd', 'passphrase', 'passcode', 'pwd'],
  [KIND.pass]: ['pass'],
  [KIND.url]: ['://', ':\\/', ':\\\\/', ':\\\\\\/', ':%2f', '%3a%2f%2f'],
  [KIND.authorization]: ['authorization'],
  [KIND.bearer]: ['bearer'],
  [KIND.cookie]: ['cookie', 'cookies'],
  [KIND.privateTag]: ['<private'],
  [KIND.privateKey]: ['-----begin ', '-----end '],
  [KIND.named]: [
    ...['rd>', 'wd>', 'rd">', 'secret>', 'secret">', 'token>', 'token">', 'key>', 'key">'],
    ...['value"', 'value\\', 'value=', ' value: ', 'value>', 'string>'],
    ...['env ', 'setx ', 'set -', '_header ', 'define '],
    ...['set(', 'env(', 'header(', 'property(', 'define('],
    ...['&quot;', '&apos;', '&#3', '&#x2'],
    ...SPACED_WORDS.map((word) => `${word} key`),
    ...['rd**', 'secret**', 'token**'],
  ],
  [KIND.statement]: ['identified ', "word '", 'word(', 'securestring '],
  [KIND.npmrc]: [':_auth', ':_pass', '_authToken', '_auth=', '_auth =', '\n_pass', '\\n_pass'],
  [KIND.place]: [
    ...[
      'hooks.slack',
      'hooks.zapier',
      'webhooks/',
      'webhooks\\',
      'webhooks%',
      'webhookb2',
      'maker.ifttt',
    ],
    '.make.com',
    ...[...'0123456789'].map((digit) => `${digit}Q~`),
    ...['.atlasv1.', 'sha256~', '_mmk', 'access_token$'],
  ],
  [KIND.signedUrl]: ['sig=', 'sig%3', 'ignature=', 'ity-Token=', 'ity-token='],
  [KIND.command]: ['curl ', ' login ', 'mysql', 'mariadb', 'sshpass ', 'redis-cli '],
  [KIND.setting]: [
    ...['--from-literal', 'configure set ', '-passin', '-passout'],
    ...[
      '@tcp(',
      '@unix(',
      ':thin:',
      'requirepass ',
      'masterauth ',
      ':x-oauth-b',
      '" -> ',
      'auth":',
      'auth" :',
      'auth\\',
    ],
  ],
  [KIND.netrc]: ['machine ', 'default login '],
  [KIND.pgpass]: [':5432:', ':*:'],
  [KIND.hash]: [
    '$apr1$',
    '$1$',
    '$5$',
    '$argon2',
    '_sha256$',
    '{SHA}',
    '{SSHA',
    '$2y$',
    '$2b$',
    '$2a$',
    '$6$',
    '$y$',
  ],
  [KIND.connection]: ['assword=', 'wd=', 'ASSWORD=', 'WD='],
  [KIND.kubernetes]: ['Secret'],
  [KIND.terraformValue]: ['sensitive"', 'sensitive\\'],
};
