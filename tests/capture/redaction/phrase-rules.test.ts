import { expect, test } from 'vitest';
import { compileRedaction, redactText, redactValue } from '../../../src/capture/redaction/index.ts';

const { options } = compileRedaction();
const redacted = (text: string): string => redactText(text, options).text;

const PASSWORD = 'hunter2pass';
/** What no word looks like, wherever a sentence has it. */
const MIXED = [
  'use password # to log in as admin',
  'Connect with username admin and password #.',
  'Set the password to # and restart.',
  'change the root password from # to something else',
  'trying password # for root@10.0.0.1',
  'the password "#" was wrong',
];
/** Calls, by the place of their arguments. */
const CALLS = [
  ['PASSWORD', 'new mysqli("localhost", "root", "#", "shop");'],
  ['PASSWORD', "$mysqli = new mysqli($host, $user, '#', $db);"],
  ['PASSWORD', 'mysqli_connect("127.0.0.1", "my_user", "#", "my_db");'],
  ['PASSWORD', "new PDO('mysql:host=localhost;dbname=test', 'root', '#');"],
  ['PASSWORD', 'new PDO($dsn, $this->user, "#", $options);'],
  ['PASSWORD', 'DriverManager.getConnection(DB_URL, USER, "#");'],
  ['PASSWORD', 'pymysql.connect("localhost","testuser","#","TESTDB")'],
  ['PASSWORD', "DBI->connect($dsn, $user, '#', { RaiseError => 1 });"],
  ['PASSWORD', "ssh.connect('192.168.1.10', 22, 'pi', '#')"],
  ['PASSWORD', 'mysql_real_connect(conn, "localhost", "root", "#", "db", 0, NULL, 0)'],
  ['PASSWORD', "new Sequelize('db', 'user', '#', { dialect: 'postgres' })"],
  ['PASSWORD', 'new Sequelize(\n  process.env.DB,\n  user,\n  "#",\n)'],
  ['SECRET', "jwt.sign({ foo: 'bar' }, '#');"],
  ['SECRET', "jwt.sign(\n  { id: user.id },\n  '#',\n  { expiresIn: '1h' },\n)"],
  ['SECRET', "jwt.verify(token, '#', (err, decoded) => {});"],
  ['SECRET', 'jwt.decode(encoded, "#", algorithms=["HS256"])'],
  ['SECRET', "JWT.encode payload, '#', 'HS256'"],
  ['SECRET', "JWT::encode($payload, '#', 'HS256');"],
  ['SECRET', 'createHmac("sha256", "#")'],
  ['SECRET', "hash_hmac('sha256', $data, '#');"],
  ['SECRET', 'hmac.new(b"#", msg, hashlib.sha256)'],
  ['SECRET', 'hmac.New(sha256.New, []byte("#"))'],
] as const;

test.each(MIXED)('a password that no word looks like goes: %s', (text) => {
  expect(redacted(text.replace('#', 'Tulip4x9'))).toBe(text.replace('#', '[REDACTED:PASSWORD]'));
  expect(redacted(text.replace('#', 'policy'))).toBe(text.replace('#', 'policy'));
});

test('of a password that is changed both go, the old one and the new one', () => {
  expect(redacted('change the password from Tulip4x9 to Lilac7y8Rose')).toBe(
    'change the password from [REDACTED:PASSWORD] to [REDACTED:PASSWORD]',
  );
});

test.each(CALLS)('a %s goes that a call has in its place: %s', (id, text) => {
  expect(redacted(text.replace('#', 't7ulIp4x9'))).toBe(text.replace('#', `[REDACTED:${id}]`));
  expect(redacted(text.replace('#', 'password'))).toBe(text.replace('#', 'password'));
});

test.each([
  'DriverManager.getConnection("jdbc:h2:mem:test", "sa", "")',
  'jwt.verify(token, process.env.JWT_SECRET, (err) => {})',
  "jwt.sign(payload, key, { algorithm: 'RS256' })",
  'connect("mqtt://broker", "client1", "topic/a1")',
  "createHmac('sha256', key).update('data1')",
  'password Argon2id is the default, OAuth2Client2 is not',
])('what no call takes as a secret stays: %s', (text) => {
  expect(redacted(text)).toBe(text);
});

const LOGINS = [
  'login admin / #',
  'You can log in with admin / # now',
  'Login: admin / #.',
  'Logins: `admin` / `#`',
  'log in as me@example.org / #',
  'the old login was ops / #',
  'the credentials were admin:#',
  'user/pass: admin / #',
  'Username / Password: root / #',
  'Credentials: admin / #',
  '**Credentials**: admin / #',
  'Default credentials are admin:#',
  'creds admin / #, then go on',
];
const TOLD = [
  'Temporary password for root@localhost: #',
  'A temporary password is generated for root@localhost: #',
  'New password for user "bob" is #.',
  'the password was set to #',
  'password has been reset to: "#"',
  'log in as admin with password # please',
  'connect using the root password #',
];

test.each([...LOGINS, ...TOLD])('the password goes, and nothing else: %s', (text) => {
  const left = text.replace('#', '[REDACTED:PASSWORD]');
  const given = text.replace('#', PASSWORD);
  expect(redacted(given)).toBe(left);
  expect(redacted(`first\n${given}\nlast`)).toBe(`first\n${left}\nlast`);
  const inJson = JSON.stringify({ out: `first\n${given}\nlast` });
  expect(redacted(inJson)).toBe(JSON.stringify({ out: `first\n${left}\nlast` }));
  expect(redactValue({ out: given }, options).value).toEqual({ out: left });
});

test('the password goes of a sentence that goes on, and no word that only has a digit', () => {
  for (const whose of ['for staging', 'of the admin user', 'for the staging DB'])
    expect(redacted(`My password ${whose} is Kq9x-Vb72m, keep going`)).toBe(
      `My password ${whose} is [REDACTED:PASSWORD], keep going`,
    );
  for (const what of [
    'AES256-encrypted, so',
    'sha512 hashed and',
    'v2.3.1 now',
    'base64url encoded',
  ])
    expect(redacted(`The password for root is ${what} go on`)).toBe(
      `The password for root is ${what} go on`,
    );
});

test('the one of two users that stand close together goes as well', () => {
  expect(redacted('Credentials: a1 / hunter2pass\nor login b1 / Kq9x-Vb72m')).toBe(
    'Credentials: a1 / [REDACTED:PASSWORD]\nor login b1 / [REDACTED:PASSWORD]',
  );
});

test('all go of a long list, wherever what is searched at once ends', () => {
  const lines = Array.from(
    { length: 200 },
    (_, n) => `${'x'.repeat(n % 37)} login u${n} / hunter${n}pass!${n}x`,
  );
  const left = redacted(lines.join('\n')).split('\n');
  expect(left).toEqual(lines.map((line) => line.replace(/hunter.*/, '[REDACTED:PASSWORD]')));
});

test.each(['\n\n', '\n', '\r\n\r\n', '\\n\\n'])(
  'a password goes that an installer prints in a line of its own: %j',
  (breaks) => {
    const text = (value: string) =>
      `Please use the following password to proceed to installation:${breaks}${value}${breaks}This may`;
    expect(redacted(text('7e64cde6b4ef23ce8da767b3c823600d'))).toBe(text('[REDACTED:PASSWORD]'));
    expect(redacted(text('somethingordinary'))).toBe(text('somethingordinary'));
  },
);

test.each([
  ['SecretID:     3c2dc78f-aaaa-2222-3333-f9b73c1c5878', 'SecretID:     #'],
  ['Secret ID    = 3c2dc78f-aaaa-2222-3333-f9b73c1c5878', 'Secret ID    = #'],
  ['"secret_id": "3c2dc78f-aaaa-2222-3333-f9b73c1c5878"', '"secret_id": "#"'],
  ['secret_id      3c2dc78f-aaaa-2222-3333-f9b73c1c5878', 'secret_id      #'],
])('a secret id goes, which is a UUID: %s', (text, left) => {
  expect(redacted(text).replace('[REDACTED:SECRET]', '#')).toBe(left);
});

test.each([
  ["db.auth('app', 'hunter2pass')", "db.auth('app', '#')"],
  ['client.login(user, "hunter2pass")', 'client.login(user, "#")'],
  ['new NetworkCredential("me", "hunter2pass")', 'new NetworkCredential("me", "#")'],
  ['enable password 7 094F471A1A0A', 'enable password 7 #'],
  ["page.fill('#password', 'hunter2pass')", "page.fill('#password', '#')"],
  ["getByLabel('Password').fill('hunter2pass')", "getByLabel('Password').fill('#')"],
  ["cy.get('[name=password]').type('hunter2pass')", "cy.get('[name=password]').type('#')"],
  ['find(By.ID, "password").send_keys("hunter2pass")', 'find(By.ID, "password").send_keys("#")'],
  ['expect "assword:"\nsend -- "hunter2pass\\r"', 'expect "assword:"\nsend -- "#\\r"'],
  ['user admin insecure-password hunter2pass', 'user admin insecure-password #'],
  [
    'nuget sources add -UserName me -Password hunter2pass',
    'nuget sources add -UserName me -Password #',
  ],
  ['deploy --password \\\n  hunter2pass \\\n  --now', 'deploy --password \\\n  # \\\n  --now'],
  ['changeUserPassword("app", "hunter2pass")', 'changeUserPassword("app", "#")'],
  ['keyring.set_password("mail", "me", "hunter2pass")', 'keyring.set_password("mail", "me", "#")'],
  ['bindpw hunter2pass', 'bindpw #'],
  ["new Sequelize('db', 'root', 'letmein')", "new Sequelize('db', 'root', '#')"],
  ['127.0.0.1:6379> auth app hunter2x', '127.0.0.1:6379> auth app #'],
  ['cache:6379[2]> auth hunter2x', 'cache:6379[2]> auth #'],
  ['redis-cli -h cache auth hunter2x', 'redis-cli -h cache auth #', 'COMMAND-PASSWORD'],
  ['ACL SETUSER alice on >letmein ~cached:* +get', 'ACL SETUSER alice on ># ~cached:* +get'],
  ["redis-cli ACL SETUSER bob '>p1pp0' allkeys", "redis-cli ACL SETUSER bob '>#' allkeys"],
  ['port 6379\nuser default on >hunter2x ~* &* +@all', 'port 6379\nuser default on ># ~* &* +@all'],
])('the second argument goes: %s', (text, left, id = 'PASSWORD') => {
  expect(redacted(text).replace(`[REDACTED:${id}]`, '#')).toBe(left);
});

test('all go that a user of Redis has', () => {
  const line = (value: string) => `ACL SETUSER me on >${value}1x >${value}2x +@all`;
  expect(redacted(line('hunter'))).toBe(
    'ACL SETUSER me on >[REDACTED:PASSWORD] >[REDACTED:PASSWORD] +@all',
  );
});

test.each([
  'login admin / user roles are checked',
  'the login was slow / unusable',
  'the login was fixed / see issue 1234',
  'keyring.get_password("system", "user42")',
  "keytar.getPassword('mail', 'user42')",
  'keyring.delete_password("system", "user42")',
  'login: admin / editor / viewer2x',
  'login test1 / test2',
  'login alice01 / alice02',
  'Login page / Sign-up page2',
  'login admin/index2.html',
  'user/pass: see the vault',
  'username / password / token / otp',
  'Credentials: AWS / GCP / Azure',
  'Credentials: provided by the environment / instance profile',
  'Default credentials are loaded from ~/.aws/credentials',
  'password reset requested for user: john12345',
  'password changed for account: john12345',
  '[sudo] password for me: Sorry, try again.',
  "Password for 'https://me@github.com': ",
  'A temporary password is generated for each user: see the log',
  'password was set to expire in 90 days',
  'Login with password auth2 or token',
  'with password hashing (bcrypt2)',
  'SET PASSWORD FOR me = PASSWORD(?)',
  'db.auth(user, password)',
  'auth("admin", role2)',
  't.login("admin", "dashboard")',
  'SecretId: my-app/prod/db-2',
  "page.fill('#password', process.env.PW2)",
  "getByLabel('Password').fill(user.password)",
  "page.fill('#name', 'user2abc')",
  'expect "password:"\nsend "$env(PW2)\\r"',
  'deploy --password \\\n  --token2 \\\n  --verbose',
  '- password rules: at least 8',
  'Usage: foo -token TOKEN -password PASSWORD -secret name',
  'comparePassword("a", hash2)',
  'AccessorID: 3c2dc78f-aaaa-2222-3333-f9b73c1c5878',
  '::add-mask::$TOKEN_2',
  '::add-mask::$(cat token2)',
  '##vso[task.setvariable variable=x;issecret=true]$(pw2)',
  'Driver={PG};Server=db;Uid=app;Pwd={config.password};',
  'authkey=self._authkey, exposed=exposed',
  '{ scopeAuthKey, authKey: _authKey }',
  '250-AUTH PLAIN LOGIN XOAUTH2',
  "new Sequelize('database', 'username', 'password')",
  "new Sequelize('sqlite::memory:', { logging: false })",
  'ACL SETUSER alice on nopass ~* +@all',
  'redis-cli ACL SETUSER alice on >/dev/null',
  'ACL SETUSER alice on >password ~*',
  'user default on #5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8 ~* +@all',
  'the user clicks on >more and +@all',
  '<p> auth module2x',
  '> auth module2x',
])('what is no password stays: %s', (text) => {
  expect(redacted(text)).toBe(text);
});
