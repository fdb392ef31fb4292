import { describe, expect, it } from 'vitest';
import { compileRedaction, redactText } from '../../../src/capture/redaction/index.ts';

const { options } = compileRedaction();
const redact = (text: string) => redactText(text, options).text;

describe('rows of INSERT lose what stands under a telling column', () => {
  it.each([
    ["INSERT INTO users (name, password, email) VALUES ('bob', '#', 'b@x.example');", 'PASSWORD'],
    ["insert into users(name,password) values('bob','#')", 'PASSWORD'],
    ["INSERT INTO `users` (`id`, `password`) VALUES (1, '#'), (2, '#'), (3, NULL)", 'PASSWORD'],
    [
      'INSERT INTO "app"."users" ("password", "age")\nVALUES\n  (\'#\', 7),\n  (\'#\', 8)\n',
      'PASSWORD',
    ],
    ["INSERT INTO t (note, password) VALUES ('it''s; (odd), x', '#')", 'PASSWORD'],
    ["INSERT INTO t (note, password) VALUES ('a\\'b', E'#')", 'PASSWORD'],
    ["INSERT INTO t (a, password) VALUES (now(), crypt('#', gen_salt('bf')))", 'PASSWORD'],
    ["REPLACE INTO t (a, password) VALUES (coalesce(1, (2), 'x'), '#')", 'PASSWORD'],
    ['db.run("INSERT INTO t (password) VALUES (\'#\')");', 'PASSWORD'],
  ])('%s', (template, id) => {
    for (const wrap of [(text: string) => text, (text: string) => JSON.stringify({ text })]) {
      // Of a row in JSON a backslash before a mark is doubled, and no longer one of SQL.
      if (wrap('a') !== 'a' && template.includes("\\'")) continue;
      expect(redact(wrap(template.replaceAll('#', 'hunter2')))).toBe(
        wrap(template.replaceAll('#', `[REDACTED:${id}]`)),
      );
    }
  });

  it('each by the name of its own column', () => {
    expect(
      redact(
        "INSERT INTO t (api_key, role, user_pass) VALUES ('q7Rw2mXz9KpL4vTn8YbJ', 'q7R', 'x9K#d2')",
      ),
    ).toBe(
      "INSERT INTO t (api_key, role, user_pass) VALUES ('[REDACTED:API-KEY]', 'q7R', '[REDACTED:PASSWORD]')",
    );
  });

  it('of the next statement, too, where one does not end', () => {
    const one = (value: string) => `INSERT INTO t (a, password) VALUES (f(1, '${value}');\n`;
    const two = (value: string) => `INSERT INTO t (a, password) VALUES (1, '${value}');\n`;
    expect(redact(one('x') + two('hunter2'))).toBe(one('x') + two('[REDACTED:PASSWORD]'));
  });
});

describe('what no row has in such a column stays', () => {
  it.each([
    'INSERT INTO users (name, password) VALUES (?, ?)',
    "INSERT INTO users (name, password) VALUES ($1, '%s')",
    'INSERT INTO users (name, password) VALUES (:name, :password)',
    "INSERT INTO users (name, password) VALUES ('hunter2', NULL)",
    "INSERT INTO users (name, password_reset_at) VALUES ('a', 'hunter2')",
    "INSERT INTO users VALUES ('bob', 'hunter2')",
    "INSERT INTO users (password, name) SELECT 'hunter2', 'a'",
    "the password (see below) VALUES ('hunter2')",
    "INSERT INTO t (a, password) VALUES (concat('hunter2', x), y)",
    'const password = Object.values({ a: "hunter2" })',
  ])('%s', (text) => {
    expect(redact(text)).toBe(text);
  });
});
