import { describe, expect, it } from 'vitest';
import { compileRedaction, redactText } from '../../../src/capture/redaction/index.ts';

const { options } = compileRedaction();
const redact = (text: string) => redactText(text, options).text;

const PASSWORD = 'hunter2x9';
const KEY = 'q9fGZ0a8VbnLkq1hW7xP2cR5tY8uJ3mE';

/** `#` is the secret and, in the result, its marker; as it is, and where the text is a string in JSON. */
function hide(template: string, value: string, id: string): void {
  for (const wrap of [(text: string) => text, (text: string) => JSON.stringify({ text })])
    expect(redact(wrap(template.replace('#', () => value)))).toBe(
      wrap(template.replace('#', `[REDACTED:${id}]`)),
    );
}

describe('what daemons and their clients have beside words of their own', () => {
  it.each([
    ['listen stats\n    stats auth admin:#\n', PASSWORD, 'PASSWORD'],
    ['listen stats\n    stats auth admin:#\n', 'Kite&Run;7x(9)', 'PASSWORD'],
    ['npmAuthIdent: me:#', 'Tr0ub4dor&3', 'PASSWORD'],
    ['stats auth admin:#\n', 'password123', 'PASSWORD'],
    // Words between marks.
    ['listen stats\n    stats auth "admin:#"\n', 'Kite Run7x 99', 'PASSWORD'],
    ['npmAuthIdent: "me:#"\n', "Kite'Run x994b", 'PASSWORD'],
    ['rocommunity "#"\n', 'Kite Run7x 99', 'PASSWORD'],
    ['createUser me SHA "#" AES\n', 'correct horse battery 9', 'PASSWORD'],
    ['createUser me SHA # AES\n', '12345678a', 'PASSWORD'],
    ['rocommunity #\n', 'v3ryS3cretRO', 'PASSWORD'],
    ['stats auth admin:#\n', 'MyPassphrase2024!', 'PASSWORD'],
    ['jwt:\n  key: #\n', 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj', 'API-KEY'],
    ['rocommunity #\n', 'Kite7Run|x9ab', 'PASSWORD'],
    ['npmAuthIdent: "me:#"', PASSWORD, 'PASSWORD'],
    ['npmScopes:\n  acme:\n    npmAuthIdent: me:#\n', PASSWORD, 'PASSWORD'],
    ['npmAuthIdent: "#"', 'bWU6aHVudGVyMng5', 'PASSWORD'],
    ['yarn config set npmAuthIdent me:#', PASSWORD, 'PASSWORD'],
    ['consul kv put path/to/db_password #', PASSWORD, 'PASSWORD'],
    ["consul kv put -cas -modify-index=1 app/db-password '#'", PASSWORD, 'PASSWORD'],
    ['consul kv put app/api_key #\n', KEY, 'API-KEY'],
    ['rocommunity #\n', PASSWORD, 'PASSWORD'],
    ['syslocation x\nrwcommunity  # 10.0.0.0/8\n', PASSWORD, 'PASSWORD'],
    ['snmp-server community # RO', PASSWORD, 'PASSWORD'],
    ['createUser me SHA "#"', PASSWORD, 'PASSWORD'],
    ['createUser me SHA-256 # AES\n', PASSWORD, 'PASSWORD'],
    ['echo "rocommunity #" >> snmpd.conf', PASSWORD, 'PASSWORD'],
    ['snmp-server user me ops v3 auth sha #', PASSWORD, 'PASSWORD'],
    ['snmpwalk -v2c -c # db.example 1.3.6', PASSWORD, 'COMMAND-PASSWORD'],
    ["snmpget -v3 -u me -l authNoPriv -a SHA -A '#' db", PASSWORD, 'COMMAND-PASSWORD'],
  ])('%s', (template, value, id) => {
    hide(template, value, id);
  });

  // In a text of code or JSON they end it.
  it.each(['Kite\\Run7x9', 'Kite"Run7x9', "Kite'Run7x9", 'Kite\\ Run7x9'])(
    'all of %s on a line of its own',
    (value) => {
      for (const before of ['listen x\n    stats auth me:', 'rocommunity ', '+npmAuthIdent: me:'])
        expect(redact(`${before}${value}\nb`)).toBe(`${before}[REDACTED:PASSWORD]\nb`);
      for (const behind of ['"', "'", '\\n"', '`);', ' # x'])
        expect(redact(`\nrocommunity ${PASSWORD}${behind}`)).toBe(
          `\nrocommunity [REDACTED:PASSWORD]${behind}`,
        );
    },
  );

  it('both pass phrases of a user of SNMP', () => {
    expect(redact('createUser me SHA "auth7Pass77" AES "priv8Pass88"')).toBe(
      'createUser me SHA "[REDACTED:PASSWORD]" AES "[REDACTED:PASSWORD]"',
    );
    expect(redact('snmp-server user me ops v3 auth sha auth7Pass77 priv aes 128 priv8Pass88')).toBe(
      'snmp-server user me ops v3 auth sha [REDACTED:PASSWORD] priv aes 128 [REDACTED:PASSWORD]',
    );
    expect(redact('snmpwalk -a SHA -A auth7Pass77 -x AES -X priv8Pass88 db')).toBe(
      'snmpwalk -a SHA -A [REDACTED:COMMAND-PASSWORD] -x AES -X [REDACTED:COMMAND-PASSWORD] db',
    );
  });

  it.each([
    'stats auth <user>:<password>',
    `    stats auth "\${STATS_USER}:\${STATS_PASS}"\n`,
    'the stats auth of admin: see below, part 2',
    `npmAuthIdent: "\${NPM_USER}:\${NPM_PASS1}"`,
    'npmAuthIdent: "username:password"',
    'npmAuthIdent: abc1x2y3',
    'readonly npmAuthIdent: string;',
    'consul kv put app/db/host db-2.example',
    'consul kv put app/password @secret1.txt',
    'consul kv put app/token_ttl 3600s',
    'rocommunity public default',
    'stats auth user:password123',
    'rocommunity COMMUNITY [SOURCE [OID]]',
    'the rocommunity directive2x',
    'a community hunter2x9',
    'snmp-server community <string1>',
    'createUser username (MD5|SHA) authpassphrase1 [DES|AES]',
    'await createUser me',
    'createUser is SHA-1 based2x',
    'snmpwalk -v2c -c public db1.example',
    'snmp: tar -c /etc/snmp1 and -A /etc/x1',
  ])('but not %s', (text) => {
    expect(redact(text)).toBe(text);
  });
});

describe('the key of a block of YAML that says what it is for', () => {
  it.each([
    `encrypt:\n  key: #\n`,
    `encrypt:\n  enabled: true\n\n  mode: aes\n  key: "#"\n`,
    `app:\n  jwt:\n    ttl: 3600\n    key: #\n`,
    `jwt:\n  secret:\n    key: '#'\n`,
    `+jwt:\n+  key: #\n`,
    `jwt:\r\n  key: #\r\n`,
    // Blocks within it that say the same, comments, items of a list.
    `jwt:\n  hs256:\n    key: #\n`,
    `encrypt:\n  ttl: 1\n  aes:\n    mode: gcm\n    key: "#"\n`,
    `jwt:\n  auth:\n    signing:\n      key: #\n`,
    `providers:\n  - name: x\n  - encrypt:\n      key: #\n`,
    `- jwt:\n    key: #\n`,
    `encrypt:\n  - key: #\n`,
    `+- jwt:\n+    key: #\n`,
    // In the next line.
    `jwt:\n  key: |\n    #\n  ttl: 1\n`,
    `jwt:\n  key: >-\n    #\n`,
    `jwt:\n  hs256:\n    key: |-\n      #\n`,
  ])('%s', (template) => {
    hide(template, KEY, 'API-KEY');
  });

  it.each([
    `    11\tapp:\n    12\t  jwt:\n    13\t    ttl: 1\n    14\t    key: #\n`,
    `    11→encrypt:\n    12→  key: |\n    13→    #\n`,
    `a.yml:12:jwt:\na.yml:13:  key: #\n`,
    `a.yml-12-jwt:\na.yml:13:  key: #\na.yml-14-  ttl: 1\n`,
    `12:jwt:\n13:  key: #\n`,
    `12-  encrypt:\n13-    aes:\n14:      key: #\n`,
  ])('behind what a reader puts before each line: %s', (template) => {
    expect(redact(template.replace('#', KEY))).toBe(template.replace('#', '[REDACTED:API-KEY]'));
  });

  it('behind a comment', () => {
    for (const indent of ['', '  ', '    ']) {
      const block = (value: string) => `jwt:\n${indent}# of tests\n  key: ${value}\n`;
      expect(redact(block(KEY))).toBe(block('[REDACTED:API-KEY]'));
    }
  });

  it('each of several, also before and after a change', () => {
    for (const [first, next] of [
      ['jwt:\n  hs256:\n    key: ', '\n  rs256:\n    key: '],
      ['jwt:\n  key: short\n  auth:\n    key: ', '\n  encrypt:\n    key: '],
      [' jwt:\n-  key: ', '\n+  key: '],
    ] as const) {
      const block = (value: string) => `${first}${value}${next}${value}\n`;
      expect(redact(block(KEY))).toBe(block('[REDACTED:API-KEY]'));
    }
  });

  it('all lines of it', () => {
    const block = (value: string) => `jwt:\n  key: >-\n    ${value}\n  ttl: 1\n`;
    expect(redact(block(`${KEY}\n    ${KEY}\n    short`))).toBe(block('[REDACTED:API-KEY]'));
  });

  it.each([
    `jwt:\n  ttl: 1\nother:\n  key: ${KEY}\n`,
    `  jwt:\n  key: ${KEY}\n`,
    `bcrypt:\n  key: ${KEY}\n`,
    `jwt: x\n  key: ${KEY}\n`,
    `use jwt:\n  key: ${KEY}\n`,
    'jwt:\n  key: jwt-signing-key-of-tests\n',
    `jwt:\n  key: \${JWT_KEY_2024_OF_TESTS}\n`,
    'jwt:\n  key: /etc/keys/jwt1.pem\n',
    'encrypt:\n  key: changeme1\n',
    // Of a job of CI that is called so, and of what has keys of its own.
    `jwt:\n  key: node-modules-\${{ hashFiles('package-lock.json') }}\n`,
    'jobs:\n  encrypt:\n    key: node-modules-9f86d081884c7d659a2feaa0\n',
    'jwt:\n  key: v1-deps-9f86d081884c7d659a2feaa0\n',
    'jwt:\n  key: npm_9f86d081884c-d659a2feaa0\n',
    `jwt:\n  hs256:\n    cache:\n      key: ${KEY}\n`,
    `jwt:\n  hs256:\n    ttl: 1\n  cache:\n    key: ${KEY}\n`,
    `jwt:\n  psql:\n    key: ${KEY}\n`,
    'jwt:\n  keyId: 9f86d081884c7d659a2feaa0c55ad015\n',
  ])('but not %s', (text) => {
    expect(redact(text)).toBe(text);
  });
});
