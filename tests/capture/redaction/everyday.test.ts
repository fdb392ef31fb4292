import { describe, expect, it } from 'vitest';
import { compileRedaction, redactText, redactValue } from '../../../src/capture/redaction/index.ts';

const { options } = compileRedaction();
const redact = (text: string) => redactText(text, options).text;

const PASSWORD = 'Kite-Run7x';
const HEX = '9f86d081884c7d659a2feaa0c55ad015';
const APP = 'bngk qwer tzui opas';
const SALT = '^}1_wSqC%hRwaDV34r()=*r4j0D2dp9fHv[VX%634rJw}f0gOrp_709+3LGs_vJ!';

/** A text with `#` in the secret's place, the secret, and the rule that finds it. */
const SECRETS: readonly (readonly [text: string, secret: string, rule: string])[] = [
  // Pass phrases, whatever signs are in them.
  ["DB_PASSWORD='#'", 'Summer Breeze 2024!', 'PASSWORD'],
  ['<user name="tomcat" password="#" roles="manager-gui"/>', 'Summer Breeze 2024!', 'PASSWORD'],
  ['{"password": "#"}', 'T!ger Moon#77', 'PASSWORD'],
  ['MYSQL_ROOT_PASSWORD="#"', 'my dog Rex 1987', 'PASSWORD'],
  ['environment:\n  MYSQL_ROOT_PASSWORD: "#"\n', 'my dog Rex 1987', 'PASSWORD'],
  ['host: db\npassword: #\nport: 5432\n', 'N0v3mber Rain!', 'PASSWORD'],
  ['auth: { user: "me@gmail.com", pass: "#" }', APP, 'PASSWORD'],
  ['sendemail.smtppass=#\nsendemail.smtpuser=me', APP, 'PASSWORD'],
  // hCaptcha's keys have the form of an address.
  ['HCAPTCHA_SECRET_KEY=#', '0x7aB3c9D1e5F20846aC7b9d3E1f5A2c4E6b8D0f13', 'API-KEY'],
  ['captcha_secret: #', '0x7aB3c9D1e5F20846aC7b9d3E1f5A2c4E6b8D0f13', 'SECRET'],
  ['JWT_SECRET=#', '0x7ab3c9d1e5f20846ac7b9d3e1f5a2c4e6b8d0f13', 'SECRET'],
  ['DB_PASSWORD="#"', 'smoke river unit lamp', 'PASSWORD'],
  ['TOKEN=#', 'blue-12x-tiger', 'SECRET'],
  // Brackets in the arguments before it, and all that is signed.
  ['new PDO("mysql:host=db(1)", "root", "#")', PASSWORD, 'PASSWORD'],
  [`jwt.sign({ ${'a'.repeat(230)}: 1 }, '#')`, 'S3cr3tKey99xQ', 'SECRET'],
  // Fields of forms, and names that end with `_pass`.
  ["curl -d 'user=me&pass=#' https://x.example", PASSWORD, 'PASSWORD'],
  ["curl -d 'pass=#&user=me' https://x.example", PASSWORD, 'PASSWORD'],
  ['default_pass = #', PASSWORD, 'PASSWORD'],
  ["\t@SSHPASS='#' sshpass -e ssh a@b", PASSWORD, 'PASSWORD'],
  ['PlayerSettings.keyaliasPass = "#";', 'Un1ty-Kiln9', 'PASSWORD'],
  ['dn: uid=a\nuserPassword:: #\nsn: b', 'S2l0ZS1SdW43eA==', 'PASSWORD'],
  ['dn: uid=a\nuserPassword:: #\nsn: b', 'S2l0ZS1SdW43eHh4\n cmtLcmtL', 'PASSWORD'],
  ['DB_PASSWORD=#', 'Acme.Pass2024', 'PASSWORD'],
  ['{"password":"#"}', 'Summer.Password1', 'PASSWORD'],
  ['DB_PASSWORD=#', 'Password1!', 'PASSWORD'],
  ["const existingToken = '#';", 'q9fGZ0a8VbnLkq1hW7xP2cR5tY8uJ3mE', 'SECRET'],
  ['jwt.signingKey=#', '9F86D081884C7D659A2FEAA0C55AD0159F86D081', 'API-KEY'],
  ['page.type("input.passwd", "#")', 'Kite-Run7x)', 'PASSWORD'],
  ['APP_SECRET=#\nDEBUG=1', 'Ocelot-Run7', 'SECRET'],
  // What is written down in code.
  ["define('LOGGED_IN_SALT', '#');", SALT, 'SECRET'],
  ["define( 'NONCE_KEY',        '#' );", SALT, 'SECRET'],
  ['new UsernamePasswordCredentials("me", "#")', PASSWORD, 'PASSWORD'],
  ['new PasswordAuthentication("me", "#".toCharArray())', PASSWORD, 'PASSWORD'],
  ['.basic_auth("admin", Some("#"))', 'F3rris!31xQ', 'PASSWORD'],
  ["'Basic ' + btoa('me:#')", PASSWORD, 'PASSWORD'],
  ["Buffer.from('me:#').toString('base64')", PASSWORD, 'PASSWORD'],
  ["echo -n 'me:#' | base64", PASSWORD, 'PASSWORD'],
  [`const client = require('twilio')('AC${HEX}', '#');`, HEX, 'TWILIO-AUTH-TOKEN'],
  ['const wallet = new ethers.Wallet("0x#", provider);', HEX + HEX, 'PRIVATE-KEY'],
  ["accounts: ['0x#'],", HEX + HEX, 'PRIVATE-KEY'],
  [
    'new SymmetricSecurityKey(Encoding.UTF8.GetBytes("#"))',
    'q9fGZ0a8VbnLkq1hW7xP2cR5tY8uJ3mE',
    'SECRET',
  ],
  ['Keys.hmacShaKeyFor("#".getBytes())', 'q9fGZ0a8VbnLkq1hW7xP2cR5tY8uJ3mE', 'SECRET'],
  ["await page.type('input[name=\"password\"]', '#');", PASSWORD, 'PASSWORD'],
  ["$I->fillField('password', '#');", PASSWORD, 'PASSWORD'],
  // A password beside its user, without a sign between its name and it.
  ['credentials { username "me" password "#" }', 'hunter2x9', 'PASSWORD'],
  ['credentials {\n  username "me"\n  password "#"\n}', 'hunter2x9', 'PASSWORD'],
  ["user 'me' there with password '#' is me here", 'hunter2x9', 'PASSWORD'],
  ['poll mail.example.com proto IMAP user "me" pass "#"', 'hunter2x9', 'PASSWORD'],
  ['poll mail.example.com user me password #', 'hunter2x9', 'PASSWORD'],
  ['account work\nhost smtp.example.com\nuser me\npassword #\n', 'hunter2x9', 'PASSWORD'],
  ['user           me\npassword       #', 'Kite-Run7x', 'PASSWORD'],
  ['{"file":"host x.example\\npassword #\\nuser me\\n"}', 'hunter2x9', 'PASSWORD'],
  ['poll mail.example.com user me password #', 'kx7-qm2p-9vtz', 'PASSWORD'],
  ['poll mail.example.com user me password #', 's3cret', 'PASSWORD'],
  ['account work\nhost smtp.example.com\nuser me\npassword #\n', 'M0nkey', 'PASSWORD'],
  ['host smtp.example.com\nuser me\npassword #\n', 'text2024', 'PASSWORD'],
  ['mysqladmin -u root password #', 'letmein', 'COMMAND-PASSWORD'],
  ['$ sudo mysqladmin -h db --user=root password # && x', 'horsebattery', 'COMMAND-PASSWORD'],
  ["mysqladmin -u root password '#'", 'hunter2x9', 'COMMAND-PASSWORD'],
  ['mysqladmin password #', 'hunter2x9', 'COMMAND-PASSWORD'],
  ['mariadb-admin -h db -u root password "#" && x', 'hunter2x9', 'COMMAND-PASSWORD'],
  ['Credentials.basic("me", "#")', 'hunter2x9', 'PASSWORD'],
  // What cookies are signed with, whatever it is called.
  ['LIVE_VIEW_KEY_BASE=#', `${HEX}${HEX}`, 'API-KEY'],
  ['signing_key_base: "#"', 'q9fGZ0a8VbnLkq1hW7xP2cR5tY8uJ3mE', 'API-KEY'],
  // What stands beside its name.
  ['{"type":"password","value":"#","temporary":false}', PASSWORD, 'PASSWORD'],
  ['<meta-data android:name="io.fabric.ApiKey" android:value="#"/>', HEX, 'API-KEY'],
  ['variables:\n  SONAR_TOKEN:\n    value: "#"\n', HEX, 'SECRET'],
];

describe('what agents meet every day loses its secret', () => {
  it.each(SECRETS)('%s', (text, secret, rule) => {
    const marker = `[REDACTED:${rule}]`;
    expect(redact(text.replace('#', () => secret))).toBe(text.replace('#', () => marker));
  });

  it('a static key of OpenVPN', () => {
    const lines = `${HEX}\n`.repeat(16);
    const around = (key: string) =>
      `<tls-auth>\n-----BEGIN OpenVPN Static key V1-----${key}\n-----END OpenVPN Static key V1-----\n</tls-auth>`;
    expect(redact(around(`\n${lines.trimEnd()}`))).toBe(around('[REDACTED:PRIVATE-KEY]'));
  });

  it('what a name says, or a kind, where both stand beside a value', () => {
    for (const beside of [
      { type: 'encrypted', key: 'DB_PASSWORD' },
      { type: 'PLAINTEXT', name: 'DB_PASSWORD' },
      { name: 'DB_PASSWORD', httpOnly: true },
    ]) {
      const variable = (value: string) => ({ ...beside, value });
      expect(redactValue(variable(PASSWORD), options).value).toEqual(
        variable('[REDACTED:PASSWORD]'),
      );
    }
  });

  it('an object whose type says what its value is', () => {
    const user = (value: string) => ({ credentials: [{ type: 'password', value }] });
    expect(redactValue(user(PASSWORD), options).value).toEqual(user('[REDACTED:PASSWORD]'));
  });
});

describe('what only looks like it stays', () => {
  it.each([
    'Use the mysqladmin password command to change it.',
    'The mysqladmin -u root password changes',
    'Run mysqladmin -u root password first',
    'mysqladmin -u root password new-password',
    'mysqladmin -u root password NEWROOT',
    'mysqladmin -u root password changes what root gives',
    'cache_key_base = "9f86d081884c7d659a2feaa0c55ad015"',
    'PUBLIC_KEY_BASE=9f86d081884c7d659a2feaa0c55ad015',
    'view_key_base: "views/users/show-v2"',
    'jobs:\n  jwt:\n    cache:\n      key: v1-deps-9f86d081884c7d659a2feaa0',
    'test-jwt:\n  key: v1-deps-9f86d081884c7d659a2feaa0',
    'jwt:\n  cache:\n    key: user:%s:session:v2:tokens',
    'encrypt:\n  key: 1234abcd-12ab-34cd-56ef-1234567890ab',
    'jwt:\n  key: MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A',
    'rocommunity 10.0.0.0/8',
    'rocommunity v2c-readonly 192.168.1.0/24',
    'snmp-server community ipv4 acl-2',
    'no snmp-server community view1 RO',
    'snmpget -v 2c -c demopublic test.net-snmp.org',
    'snmpwalk -c COMMUNITY2 host',
    'rocommunity NETMGMT2 127.0.0.1',
    'async createUser with SHA 256bits',
    'createUser username MD5 mypassphrase1 DES',
    'stats auth %[env(USER)]:%[env(PASS1)]',
    'use `stats auth user:pass123` to protect the page',
    'stats auth username:password1',
    'stats auth admin:3600s',
    'npmAuthIdent: username:password1234',
    'user table password varchar255',
    'user input password validation-v2x',
    'user account password reset2024-link',
    'user defined password policy2x',
    'email varchar128\npassword varchar255',
    'login form password field2x9',
    'user me password text255',
    'user me password validation-v2x',
    'user me password s3path',
    'user me password log4net',
    'user me password policy2x',
    'user me password 1st-2nd-try',
    'login bytes32\n  password bytes32',
    'username string\npassword string64',
    'email unique\npassword min8chars',
    'user me\npassword pass:mail/work1',
    'DB_PASSWORD="my app needs 12"',
    'MSG_PASSWORD="Our rules apply 2024"',
    "TITLE_PASSWORD='Our Privacy Policy 2024'",
    'serverKeyBase = "a1b2-c3d4-view"',
    'input Login {\n  password: String!\n  token: ID!\n}',
    'mutation ($password: String!, $new: String!) { changePassword(old: $password, new: $new) }',
    'redis.Options{Addr: addr, Password: cfg.Password, DB: 0}',
    '\tPassword: cfg.Redis.Password,\n',
    'auth:\n  existingSecret: "app-postgres-2"\n',
    '[user]\n\tsigningkey = 3AA5C34371567BD2\n',
    'user.signingkey=3AA5C34371567BD23AA5C34371567BD212345678\n',
    'password: "Ihr neues Kennwort"\n',
    'pass: "main loop body done"',
    'Password: hunt (see the notes)',
    "define('CACHE_KEY', 'a list of words, which is longer than forty characters');",
    'echo -n "ready: yes" | base64',
    "Buffer.from('utf8: text').toString('base64')",
    'accounts: ["0x8ba1f109551bD432803012645Ac136ddd64DBA72"]',
    "type('#password-hint', 'text')",
    'dn: uid=a\nuserPassword:: \n',
    'std::password:: value',
    'render_pass = main-pass',
    'default_pass = "gbuffer"',
    'GITHUB_TOKEN=GitHubToken2',
    'TLS_SECRET=Wildcard-Cert-2024',
    '"password": "Windows 11"',
    '"password": "Neo4j instance"',
    '"password": "Argon2id hashing"',
    '"password": "Ups!Etwas ging schief"',
    "op.alter_column_type('password', 'users')",
    '$table->type("password", "char(60)")',
    "type('#user', 'alice'); log('password field', 'found')",
    'btoa("User:64f1c2e8a7b9")',
    'Buffer.from("cursor:item42x").toString("base64")',
    'echo -n "sha256:abc123def" | base64',
    "define('CACHE_KEY', 'SELECT id, name FROM users WHERE id = ? LIMIT 1');",
    'https://ci.example/runs?pass=linux-x64&job=2',
    'openssl x --passphrase=fd:3 --password=file1.txt',
    'use auth::password::Argon2id;',
    '{"name":"consent","value":"2024-05-12T10:00:00.000Z","httpOnly":true}',
    'primary_token:\n  value: "#0f62feff"\n',
    '{"type":"token","value":"0x1f2a3b4c"}',
    "tokenKey: 'spacing-4x'",
    'token: radius-2xl',
    'token: shadow-2xl-dark',
    "tokenKey: '3xs-inset-dark'",
    'password: lint unit mypy docs',
    'password: lint unit mypy ruff',
    'DB_PASSWORD="lint unit mypy ruff"',
    'DB_PASSWORD="our minimum is 12"',
    'CREATE TABLE t (\n  user VARCHAR(64),\n  password VARCHAR(255),\n  name TEXT\n);',
    'the user and its\npassword OAuth2.0\nare kept',
    'user root\npassword required pam_unix.so sha512\n',
    'user nobody\npassword <your-password-1>\n',
    'login "user1" password "user2"',
    'username "me", password "Password field"',
    'user name password auth2x-flow',
    'username or password field2b',
    'mysqladmin sets the root password for MySQL -p',
    'mysqladmin -u root password "$NEW_PASS1"',
    'mysqladmin -u root -p password --help',
    'Credentials.basic("username", "password")',
    'Credentials.basic(user, getPass1("x"))',
    // What everybody may see of accounts and contracts.
    'account: "0x049d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7"',
    'ACCOUNT_ADDRESS=0x49d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7',
    '{"name":"contract","value":"0x049d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7"}',
  ])('%s', (text) => {
    expect(redact(text)).toBe(text);
  });
});
