import { describe, expect, it } from 'vitest';
import { compileRedaction, findSecrets, redactText } from '../../../src/capture/redaction/index.ts';
import { BASE62, chars, seeded } from './samples.ts';

const { options } = compileRedaction();
const redact = (text: string) => redactText(text, options).text;
const random = seeded(41);
const key = () => `${chars(random, BASE62, 20)}7${chars(random, BASE62, 11)}`;
const [FIRST, SECOND] = [key(), key()];

describe('a list under a label', () => {
  it.each([
    ['apiKeys: ["#", "#"]', 'API-KEY'],
    ["api_keys = ['#', '#']", 'API-KEY'],
    ['{"apiKeys": ["#","#"], "port": 80}', 'API-KEY'],
    ['{\n  "accessTokens": [\n    "#",\n    "#"\n  ]\n}', 'SECRET'],
    ['const apiKeys: string[] = ["#", "#"];', 'API-KEY'],
    ['API_KEYS: list[str] = [\n    "#",\n    "#",\n]', 'API-KEY'],
    ['apiKeys := []string{"#", "#"}', 'API-KEY'],
    ['let tokens = vec!["#", "#"];', 'SECRET'],
    ['String[] tokens = {"#", "#"};', 'SECRET'],
    ['API_TOKENS=("#" "#")', 'SECRET'],
    ['CLIENT_SECRETS = (\n  "#",\n  "#",\n)', 'SECRET'],
    ['token = ["#", "#"]', 'SECRET'],
    ['api_keys:\n  - #\n  - #\nport: 80\n', 'API-KEY'],
    ['a:\n  tokens:\n  - "#"\n  - \'#\'\n', 'SECRET'],
    ['client_secrets:\r\n- #\r\n- short\r\n- #\r\n', 'SECRET'],
    ['@@ -1,2 +1,2 @@\n tokens:\n-  - #\n+  - #\n', 'SECRET'],
    ['     3\ttokens:\n     4\t  - #\n     5\t  - #\n     6\tport: 80\n', 'SECRET'],
  ])('loses each of its secrets: %s', (template, id) => {
    for (const wrap of [(text: string) => text, (text: string) => JSON.stringify({ text })]) {
      const given = wrap(template.replace('#', FIRST).replace('#', SECOND));
      expect(redact(given)).toBe(wrap(template.replaceAll('#', `[REDACTED:${id}]`)));
      expect(findSecrets(given, options)).toHaveLength(2);
    }
  });

  it('loses passwords that are words where it is one of passwords, and else those that a machine mixed', () => {
    expect(redact('passwords: ["hunter2", "letmein"]')).toBe(
      'passwords: ["[REDACTED:PASSWORD]", "[REDACTED:PASSWORD]"]',
    );
    expect(redact('password: ["hunter2", "x9K#d2Lsz8q"]')).toBe(
      'password: ["hunter2", "[REDACTED:PASSWORD]"]',
    );
    expect(
      redact('passwords:\n  - hunter2xyz!  # of one\n  - "letmein"\nusers:\n  - hunter2xyz!\n'),
    ).toBe(
      'passwords:\n  - [REDACTED:PASSWORD]  # of one\n  - "[REDACTED:PASSWORD]"\nusers:\n  - hunter2xyz!\n',
    );
  });

  it('loses all of them, however long it is, and what stands between them stays', () => {
    const items = Array.from({ length: 300 }, (_, n) =>
      n % 3 === 0 ? `"name${n}"` : `"${key()}"`,
    );
    const left = items.map((item, n) => (n % 3 === 0 ? item : '"[REDACTED:SECRET]"'));
    expect(redact(`tokens = [${items.join(', ')}]`)).toBe(`tokens = [${left.join(', ')}]`);
  });

  it.each([
    "'password' => ['required', 'string', 'min:8', 'confirmed'],",
    '{"password": ["The password is too short."]}',
    'tokens: ["identifier", "keyword", "x86_64", "utf8"]',
    "queryKey: ['todos', id]",
    'tokens = ["a", b1c2d3e4f5]',
    'const secret = { "name1x2y": value1 };',
    'apiKeys: [],',
    'apiKeys = [process.env.KEY1, process.env.KEY2]',
    'api_keys: ["$API_KEY_1", "<your-key-2>"]',
    'Object.keys(["a1b2c3d4e5f6"])',
    'keys = ["a1b2c3d4e5f6g7h8"]',
    'publicKeys: ["a1b2c3d4e5f6g7h8"]',
    'secrets:\n  - db_password1\n  - k8s-db-secret1\n  - source: x9K2d2Lsz8q\n',
    'imagePullSecrets:\n  - name: x9K2d2Lsz8qA7VbN3mQ4\n',
    'Passwords:\n- have 8 characters2\n',
    'passwords:\n  - $DB_PASSWORD_1\n  - "{{ vault_password_2 }}"\n',
    'credentials:\n  - aws-prod-eu1\n',
    'tokens:\n  - $GITHUB_TOKEN\n\n- x9K2d2Lsz8qA7VbN3mQ4\n',
  ])('stays where it has none: %s', (text) => {
    expect(redact(text)).toBe(text);
  });
});

describe('several in one text', () => {
  it('go under a name of more than one key', () => {
    expect(redact(`apiKeys: "${FIRST}"`)).toBe('apiKeys: "[REDACTED:API-KEY]"');
  });
});

describe('between a name and its value', () => {
  it.each([
    ['char password[] = "#";', 'letmein'],
    ['static const char wifi_password[64] = "#";', 'hunter2'],
    ['const char pass[] = "#";', 'hunter2'],
    ["$password[] = '#';", 'letmein'],
    ['passwords[0]="#"', 'letmein'],
    ['Dim password As String = "#"', 'letmein'],
    ['Private Const DB_PASSWORD As String = "#"', 'hunter2'],
    ['set(DB_PASSWORD "#")', 'letmein'],
    ['SET(db_password "#" CACHE STRING "of the database")', 'hunter2'],
    ['(setq smtp-password "#")', 'letmein'],
    ['(def db-password "#")', 'hunter2'],
    ['(defconst my-password "#"\n  "What it is for.")', 'hunter2'],
  ])('brackets, a type or a form may stand: %s', (template, value) => {
    for (const wrap of [(text: string) => text, (text: string) => JSON.stringify({ text })])
      expect(redact(wrap(template.replace('#', value)))).toBe(
        wrap(template.replace('#', '[REDACTED:PASSWORD]')),
      );
  });

  it.each([
    'char password[MAX_LEN];',
    'char password[64] = "";',
    'password[i] = buffer1;',
    'tokens[0] = next1();',
    'Dim password As String = GetPassword1()',
    'Dim password As String = ""',
    'the password as String is never stored',
    'Function Hash(password As String) As String',
    'set(PASSWORD "$ENV{DB_PASSWORD}")',
    'set(TOKEN "name of it")',
    'offset(token "identifier")',
    '(setq password (read-passwd "Password: "))',
    '(message "the password" "hunter2")',
  ])('and none of these is one: %s', (text) => {
    expect(redact(text)).toBe(text);
  });
});
