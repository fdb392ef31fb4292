import * as KIND from '../kinds.ts';
import { onDemand, type RedactionRule, type Span } from '../rule.ts';
import { isPassword } from '../values.ts';
import { ANY, behindLead, signedRule } from './signed-rule.ts';

/** What people call a password, where their keyboards have the letters of Latin-1: the scanner reads no others. */
const NAMES =
  'mot de passe|(?:haupt|root-?)?passwort|kennwort|senha|contrase(?:ñ|n|\\\\u00f1)a|wachtwoord|l(?:ö|\\\\u00f6)senord|salasana|adgangskode|heslo|parola';
/** What the scanner finds of them. */
const NAME_PARTS =
  'ot de passe,asswort,ennwort,enha:,enha ,ontrase,achtwoord,senord,alasana,dgangskode,eslo:,eslo je ,arola:'.split(
    ',',
  );
const IS = '(?:ist|lautet|est|es|é|is|är|je)(?: nun| jetzt)?:?';
/** The same of `told-names.ts`, and what stands behind them. */
const BEYOND_LATIN = 'hasło|пароль|парола|密码|密碼|口令|パスワード|비밀번호|şifre|mật khẩu';
const IS_BEYOND = ' ?[:=：＝] ?| ?(?:это|[—–-]|是|为|為|は|는|은) ?| (?:jest|to|là) ';
/** What a keyboard without these letters has, but for marks and what escapes them. */
const KEYS = '[!#-&(-;=?-\\[\\]-_a-~]';
/** Longer than what words and versions are. */
const TOLD_CHARS_MIN = 8;

/** The value, if it is one that a person chose or a machine made: letters and digits. */
function told(text: string, match: RegExpExecArray): Span | undefined {
  const { start, end } = behindLead(text, match);
  const value = text.slice(start, end).replace(/[.,:;)]+$/, '');
  const isMixed = /\d/.test(value) && /\p{L}/u.test(value);
  return value.length >= TOLD_CHARS_MIN && isMixed && isPassword(value, 'bare')
    ? { start, end: start + value.length }
    : undefined;
}

const MACHINE_MADE = onDemand(() => /(?=.*\d)(?=.*[a-z])(?=.*[A-Z])/);

/** Secrets that a sentence in another language tells, and one behind the name of an AWS key. */
export const TOLD_RULES: readonly RedactionRule[] = [
  // mot de passe: …, das Passwort ist …
  signedRule(
    'PASSWORD',
    KIND.declared,
    NAME_PARTS,
    `((?<![\\w-])(?:${NAMES})["']?(?: ?[:=] ?| ${IS} )["'\`]?)[^\\s"'\`<>]{8,128}`,
    'gi',
    told,
  ),
  // пароль: …, 密码：…, Password：…
  signedRule(
    'PASSWORD',
    KIND.told,
    ANY,
    `((?:(?:${BEYOND_LATIN})(?:\\\\{0,7}["'*\`」』]){0,2}(?:${IS_BEYOND})|(?<![A-Za-z])password["'*\`]{0,2}：[ ]?)(?:\\\\{0,7}["'\`「『])?)${KEYS}{8,128}`,
    'gi',
    told,
  ),
  // aws_secret_access_key …
  signedRule(
    'AWS-SECRET-KEY',
    KIND.declared,
    ['cret_access_key '],
    '(aws_secret_access_key[ \\t]{1,8})[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])',
    'g',
    (text, match) => {
      const span = behindLead(text, match);
      return MACHINE_MADE().test(text.slice(span.start, span.end)) ? span : undefined;
    },
  ),
];
