import { escapeRegExp } from './options.ts';
import { onDemand } from './rule.ts';

/**
 * Without which the rules of `table/` that are no tokens find nothing: texts, one of which must stand in the text searched,
 * in this case. They stand here because the hook asks for the table where it meets one; so they are rare words.
 */
export const SIGNS = {
  npmrc: [':_auth', ':_pass', '_authToken', '\n_auth', '\n_pass', 'n_auth='],
  webhook: ['hooks.slack', 'hooks.zapier', 'webhook', 'maker.ifttt'],
  makeWebhook: ['.make.com/'],
  azureSecret: ['Q~'],
  terraformToken: ['.atlasv1.'],
  openshiftToken: ['sha256~'],
  maxmindKey: ['_mmk'],
  braintreeToken: ['access_token$'],
  signedUrl: ['sig=', 'sig%3', 'ignature='],
  command: ['curl ', ' login ', 'mysql', 'mariadb', 'sshpass ', 'redis-cli '],
  openssl: ['-passin', '-passout'],
  setting: ['--from-literal', 'configure set '],
  netrc: ['machine '],
  pgpass: [':5432:', ':*:'],
  hash: ['$apr1$', '$2y$', '$2b$', '$2a$', '$6$', '$y$'],
  connection: ['assword=', 'wd=', 'ASSWORD=', 'WD='],
  kubernetes: ['Secret'],
  terraformValue: ['sensitive'],
} as const;

/** Of the commoner signs, what must stand in the text besides. */
export const BESIDES: Readonly<Partial<Record<keyof typeof SIGNS, readonly string[]>>> = {
  command: [' -u', ' -p', ' -a', ' -b', ' --user', ' --proxy-user', ' --cookie', ' -U'],
  netrc: ['password'],
  connection: [
    'ser Id=',
    'ser ID=',
    'uid=',
    'Uid=',
    'UID=',
    'erver=',
    'ser id=',
    'jdbc:',
    'ource=',
  ],
  kubernetes: ['kind'],
  terraformValue: ['value'],
};

const has = (text: string, signs: readonly string[] | undefined): boolean =>
  signs === undefined || signs.some((sign) => text.includes(sign));

/** Whether the text has what the rules behind this name cannot do without. */
export const hasSign = (text: string, name: keyof typeof SIGNS): boolean =>
  has(text, SIGNS[name]) && has(text, BESIDES[name]);

/** The shortest text that holds a secret and the sign of it. */
const TEXT_CHARS_MIN = 14;

/** From so many searched characters on, one expression for all of them is faster than one search for each. */
const WARM_CHARS = 64 * 1024;
let searched = 0;

const ALL = onDemand(() => Object.values(SIGNS).flat());
const ANY = onDemand(() => new RegExp(ALL().map(escapeRegExp).join('|')));

/** Whether the text has any of the signs. */
export function hasAnySign(text: string): boolean {
  if (text.length < TEXT_CHARS_MIN) return false;
  searched += text.length;
  const has = searched < WARM_CHARS ? hasOne(text) : ANY().test(text);
  if (!has) return false;
  return Object.keys(SIGNS).some((name) => hasSign(text, name as keyof typeof SIGNS));
}

function hasOne(text: string): boolean {
  const all = ALL();
  for (let index = 0; index < all.length; index += 1) {
    if (text.includes(all[index] ?? '')) return true;
  }
  return false;
}
