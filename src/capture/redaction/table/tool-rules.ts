import * as KIND from '../kinds.ts';
import type { NamedSpan, RedactionRule } from '../rule.ts';
import { isPlaceholder } from '../values.ts';
import { secretUnder } from './secret-under.ts';
import { behindLead, signedRule, stands } from './signed-rule.ts';

/** What tools print and take with words of their own around a secret, and no label that something is assigned to. */

const Q = '\\\\{0,7}"';

function unlessExample(text: string, match: RegExpExecArray): NamedSpan | undefined {
  const span = behindLead(text, match);
  return isPlaceholder(text.slice(span.start, span.end)) ? undefined : span;
}

/** How far around a part of a key the rest of the key may stand: RSA of 8,192 bits. */
const KEY_CHARS_MAX = 4096;

/** Whether the object around the match, which has no other inside, says that it is a key. */
function inKey(text: string, match: RegExpExecArray): NamedSpan | undefined {
  const before = text.slice(Math.max(0, match.index - KEY_CHARS_MAX), match.index);
  const behind = text.slice(match.index, match.index + KEY_CHARS_MAX);
  const object =
    before.slice(before.lastIndexOf('{') + 1) + behind.slice(0, `${behind}}`.indexOf('}'));
  return object.includes('"kty') ? behindLead(text, match) : undefined;
}

/**
 * The values of the lines that follow the head of `vault kv get`, all of them; without that head (`vault read`, `vault token
 * create`) those whose name tells, for PowerShell's tables begin so, too.
 */
const VAULT =
  /(= Data =+\s*\r?\n)?Key\s+Value\r?\n---\s+-----((?:\r?\n[^\s=]\S{0,127}[ \t]+\S[^\r\n]*)*)/g;
const VAULT_LINE = /^(\S+[ \t]+)(\S.*?)\r?$/gm;

function* vaultValues(text: string): Generator<NamedSpan> {
  for (const { 0: all, 1: head, 2: lines = '', index } of text.matchAll(VAULT)) {
    const start = index + all.length - lines.length;
    for (const line of lines.matchAll(VAULT_LINE)) {
      const name = line[1] ?? '';
      const from = start + line.index + name.length;
      const value = line[2] ?? '';
      const isOne = head === undefined ? secretUnder(name.trim(), value) : !isPlaceholder(value);
      if (isOne) yield { start: from, end: from + value.length };
    }
  }
}

export const TOOL_RULES: readonly RedactionRule[] = [
  // RFC 7518 §6: the private parts of a JSON Web Key
  signedRule(
    'PRIVATE-KEY',
    KIND.setting,
    ['"kty'],
    `(${Q}(?:d|p|q|dp|dq|qi|k)${Q}\\s{0,8}:\\s{0,8}${Q})[\\w-]{16,2048}(?=\\\\{0,7}")`,
    'g',
    inKey,
  ),
  // twilio.com: new Client("AC…", "…"), whatever it is called
  signedRule(
    'TWILIO-AUTH-TOKEN',
    KIND.setting,
    ['wilio'],
    `(\\(["']AC[\\da-f]{32}["'],\\s{0,20}["'])[\\da-f]{32}(?=["'])`,
  ),
  // openvpn.net: a static key, in hex
  signedRule(
    'PRIVATE-KEY',
    KIND.setting,
    ['OpenVPN Stat'],
    '(BEGIN OpenVPN Static key V1-----)(?:(?:\\s|\\\\{1,7}[nr]){1,8}[\\da-fA-F]{2,64}){1,40}',
  ),
  // developer.hashicorp.com: vault kv get
  {
    id: 'VAULT-SECRET',
    kind: KIND.setting,
    find: (text, places) =>
      stands(text, places.at(KIND.setting), ['= Data =', '\n---  ', '\n--- -'])
        ? vaultValues(text)
        : [],
  },
  // docs.aws.amazon.com: ssm put-parameter --type SecureString --value …, in either order
  signedRule(
    'AWS-PARAMETER',
    KIND.setting,
    ['put-parameter '],
    `(put-parameter(?=[^|;&]{0,400}SecureString)[^|;&]{1,400}?--value[ =]\\\\{0,3}["']?)(?!-)[^\\s"'\\\\]{3,4096}`,
    'g',
    unlessExample,
  ),
  // learn.microsoft.com: az storage account keys list, az keyvault secret show, az keyvault secret set
  signedRule(
    'AZURE-KEY',
    KIND.setting,
    ['"keyName'],
    `("keyName${Q}:[^{}]{1,200}${Q}value${Q}:\\s{0,8}${Q})[A-Za-z0-9+/]{86}==`,
  ),
  signedRule(
    'AZURE-SECRET',
    KIND.setting,
    ['azure.net/secrets'],
    `(azure\\.net/secrets/(?:[^{}]|\\{\\}){1,600}?${Q}value${Q}:\\s{0,8}${Q})[^"\\\\\\n]{3,4096}`,
    'g',
    unlessExample,
  ),
  signedRule(
    'AZURE-SECRET',
    KIND.setting,
    ['keyvault secret '],
    `(keyvault secret set (?:[^|;&]{0,400}? )?--value[ =]\\\\{0,3}["']?)(?!-)[^\\s"'\\\\]{3,4096}`,
    'g',
    unlessExample,
  ),
  // www.elastic.co: elasticsearch-setup-passwords, elasticsearch-reset-password, the first start
  ...[
    ['PASSWORD elastic ', 'PASSWORD \\w{1,64} = '] as const,
    ['user successfully', 'user successfully reset\\.\\s{1,4}New value: '] as const,
    ['superuser is', 'built-in superuser is ?: '] as const,
    ['h-reset-password ', 'elasticsearch-reset-password[^\\n]{1,40}\\):\\s{1,16}'] as const,
  ].map(([word, lead]) =>
    signedRule('PASSWORD', KIND.setting, [word], `(${lead})[\\w+*=-]{8,64}`, 'g', unlessExample),
  ),
  // docs.aws.amazon.com: --output table
  signedRule(
    'AWS-SECRET-KEY',
    KIND.setting,
    ['SecretAccessKey '],
    '((?:SecretAccessKey|SessionToken)[ \\t]{1,60}\\|[ \\t]{1,8})[\\w/+=]{20,2048}',
  ),
  // requests, httpx, Elasticsearch: auth=('user', '…'), HTTPBasicAuth('user', '…')
  ...[`"[^"\\\\\\n]{1,128}",\\s{0,20}"`, `'[^'\\\\\\n]{1,128}',\\s{0,20}'`].map((user) =>
    signedRule(
      'PASSWORD',
      KIND.setting,
      ['auth=(', 'BasicAuth(', 'DigestAuth('],
      `((?:\\b(?:http_|basic_)?auth=|BasicAuth|DigestAuth)\\(\\s{0,20}${user})[^"'\\\\\\n]{3,256}(?=["'])`,
      'g',
      unlessExample,
    ),
  ),
];
