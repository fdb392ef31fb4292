import { describe, expect, it } from 'vitest';
import { compileRedaction, redactText } from '../../../src/capture/redaction/index.ts';
import { BASE62, BASE64, chars, HEX, seeded } from './samples.ts';

const { options } = compileRedaction();
const redact = (text: string) => redactText(text, options).text;
const random = seeded(43);
const SECRET = 'K9x2vQ7mLyT4';

const ways = {
  'as it is': (text: string) => text,
  'in JSON': (text: string) => JSON.stringify({ text }),
  'in JSON in JSON': (text: string) => JSON.stringify(JSON.stringify({ text })),
};

/** `#` is the value and, in the result, the marker. */
function hide(template: string, value: string, id: string): void {
  for (const [name, wrap] of Object.entries(ways))
    expect(redact(wrap(template.replace('#', () => value))), name).toBe(
      wrap(template.replace('#', `[REDACTED:${id}]`)),
    );
}

describe('Terraform', () => {
  it.each([
    ['variable "db_password" { default = "#" }', 'letmein', 'PASSWORD'],
    ['variable "db_password" {\n  type = string\n  default     = "#"\n}', SECRET, 'PASSWORD'],
    ['variable "api_token" {\n  sensitive = true\n  default = "#"\n}', `${SECRET}abc`, 'SECRET'],
    ['resource "random_password" "db" {\n    result      = "#"\n}', 'a{b}c9%x', 'TERRAFORM-VALUE'],
    ['~ random_password.db:\n  ~ result = "#" -> (known after apply)', SECRET, 'TERRAFORM-VALUE'],
    [
      '"type": "random_password",\n"attributes": {"length": 9, "result": "#"',
      SECRET,
      'TERRAFORM-VALUE',
    ],
  ])('%s', (template, value, id) => {
    hide(template, value, id);
  });

  it('shows the result before and after a change', () => {
    const [before, after] = [chars(random, BASE62, 16), chars(random, BASE62, 16)];
    const plan = `# random_password.db must be replaced\n  ~ result = "${before}" -> "${after}"\n`;
    expect(redact(plan)).not.toMatch(new RegExp(`${before}|${after}`));
  });

  it('has a result for each instance of one resource', () => {
    const values = [1, 2, 3].map(() => `${chars(random, BASE62, 15)}7`);
    const instances = values.map((result, index) => ({ index_key: index, attributes: { result } }));
    const state = JSON.stringify({ type: 'random_password', name: 'a', instances });
    const redacted = redact(state);
    for (const value of values) expect(redacted).not.toContain(value);
  });

  it.each([
    'variable "db_password" { default = "" }\nvariable "region" { default = "eu-west-12x" }',
    'variable "db_password" {}\noutput "x" { default = "eu-west-12x" }',
    'variable "region" { default = "eu-west-12x" }',
    'resource "random_password" "db" {\n  result = (sensitive value)\n}',
    'resource "random_password" "a" {}\nresource "x_job" "b" {\n  result = "done-12x"\n}',
  ])('has no secret in: %s', (text) => {
    expect(redact(text)).toBe(text);
  });
});

describe('a parameter of AWS that is a SecureString', () => {
  it.each([
    ['{"Name":"/a/x","Type":"SecureString","Value":"#","Version":1}', 'letmein'],
    ['{\n    "Type": "SecureString",\n    "Value": "#",\n', SECRET],
    ["{'Name': '/a/x', 'Type': 'SecureString', 'Value': '#'}", SECRET],
    ['text\t/a/x\tSecureString\t#\t1', SECRET],
    ['  Type: SecureString\n  Value: #\n', SECRET],
    ['|  Type  |  SecureString  |\n|  Value |  #  |', SECRET],
  ])('%s', (template, value) => {
    hide(template, value, 'AWS-PARAMETER');
  });

  it.each([
    '{"Type":"String","Value":"K9x2vQ7mLyT4"}',
    '$x = [SecureString]::new()',
    'Type: SecureString\n',
    'aSecureString\tb1c2d3e4\t',
  ])('is not: %s', (text) => {
    expect(redact(text)).toBe(text);
  });
});

describe('helm', () => {
  it.each([
    ['helm upgrade a b --set password=#', 'letmein'],
    ['helm upgrade a b --set a.user=b,a.rootPassword=#,c=d', 'letmein'],
    ["helm install a b --set-string 'a.password=#' --wait", 'letmein'],
    ['helm install a b --set=auth.password=#', SECRET],
  ])('%s', (template, value) => {
    hide(template, value, 'PASSWORD');
  });

  it.each([
    'helm upgrade a b --set image.tag=letmein,a.user=password',
    'helm upgrade a b --set password=$PASSWORD',
    'x --setpassword=letmein',
  ])('has no secret in: %s', (line) => {
    expect(redact(line)).toBe(line);
  });
});

describe("PuTTY's private keys", () => {
  const lines = [
    chars(random, BASE64, 64),
    chars(random, BASE64, 64),
    `${chars(random, BASE64, 22)}==`,
  ];
  const head = [
    'PuTTY-User-Key-File-3: ssh-ed25519',
    'Encryption: none',
    'Comment: eddsa-key',
    'Public-Lines: 1',
    chars(random, BASE64, 48),
    'Private-Lines: 3',
  ];
  const tail = [`Private-MAC: ${chars(random, HEX, 64)}`];

  it.each(Object.entries(ways))('go, and what is around them stays: %s', (_, wrap) => {
    const key = [...head, ...lines, ...tail].join('\n');
    const hidden = [...head, '[REDACTED:PRIVATE-KEY]', ...tail].join('\n');
    expect(redact(wrap(key))).toBe(wrap(hidden));
  });

  it.each([
    ['a listing', (line: string, index: number) => `${String(index + 1).padStart(6)}\t${line}`],
    ['grep', (line: string, index: number) => `a/k.ppk:${index + 1}:${line}`],
    ['a diff', (line: string) => `+${line}`],
    ['Windows', (line: string) => `${line}\r`],
  ])('go from %s', (_, print) => {
    const redacted = redact([...head, ...lines, ...tail].map(print).join('\n'));
    for (const line of lines) expect(redacted).not.toContain(line);
  });
});

describe('passwords of the registry of AWS', () => {
  const payload = { payload: chars(random, BASE64, 400), datakey: 'x', version: '2' };
  const password = Buffer.from(JSON.stringify(payload)).toString('base64');

  it.each([
    ['get-login-password', '#\n', password],
    ['get-authorization-token', 'AUTHORIZATIONDATA\t#\t2026', btoa(`AWS:${password}`)],
  ])('%s', (_, template, value) => {
    hide(template, value, 'AWS-ECR-PASSWORD');
  });
});

describe('commands that take a password', () => {
  it.each([
    ['docker login -u me -p# registry.example.org', 'letmein'],
    ['sqlcmd -S db -U sa -P # -Q "select 1"', 'letmein'],
    ["sqlcmd -S db -Usa -P'#'", SECRET],
    ['bcp a.b out f -U sa -P #', SECRET],
    ['mysql -u root --password=# app', 'letmein'],
  ])('%s', (template, value) => {
    hide(template, value, 'COMMAND-PASSWORD');
  });

  it.each([
    'docker login --password-stdin registry.example.org',
    'vault login -path=oidc12',
    'sqlcmd -S db -U sa -P "$SA_PASSWORD"',
    'mysql -u root --password app12',
  ])('but none here: %s', (line) => {
    expect(redact(line)).toBe(line);
  });
});

describe('a parameter that AWS is to keep encrypted', () => {
  it.each([
    ['aws ssm put-parameter --name /db/pw --type SecureString --value "#"', SECRET],
    ["aws ssm put-parameter --name /db/pw --value '#' --type SecureString", SECRET],
    ['aws ssm put-parameter --name /db/pw \\\n  --value # \\\n  --type "SecureString"', SECRET],
  ])('%s', (template, value) => {
    hide(template, value, 'AWS-PARAMETER');
  });

  it.each([
    'aws ssm put-parameter --name /region --type String --value eu-west-12x',
    'aws ssm put-parameter --name /db/pw --type SecureString --value "$PASSWORD"',
  ])('is none in: %s', (text) => {
    expect(redact(text)).toBe(text);
  });
});

describe('what Vault prints as a table', () => {
  const head = 'Key                Value\n---                -----\n';

  it.each([
    [
      `${head}lease_id           database/creds/a1\npassword           #\nusername           v-a1`,
      'PASSWORD',
    ],
    [`${head}token                #\ntoken_accessor       x`, 'SECRET'],
  ])('has no secret in it: %s', (template, id) => {
    const value = `A1a-${SECRET}9q`;
    expect(redact(template.replace('#', value))).toMatch(/\[REDACTED:[A-Z-]+\]/);
    expect(redact(template.replace('#', value)), id).not.toContain(value);
  });

  it('is left where nothing in it is a secret', () => {
    const text = `${head}version            a1b2c3d4e5f6g7h8\nregion             eu-west-1`;
    expect(redact(text)).toBe(text);
  });
});

describe('what Azure and Elasticsearch print and take', () => {
  const KEY = `${chars(random, BASE64, 86)}==`;

  it.each([
    ['[{"keyName": "key1", "permissions": "FULL", "value": "#"}]', KEY, 'AZURE-KEY'],
    [
      '{"id": "https://v.vault.azure.net/secrets/db/2b3c", "name": "db", "tags": {}, "value": "#"}',
      SECRET,
      'AZURE-SECRET',
    ],
    ['az keyvault secret set --vault-name v --name x --value "#"', SECRET, 'AZURE-SECRET'],
  ])('%s', (template, value, id) => {
    hide(template, value, id);
  });

  it.each([
    'Changed password for user elastic\nPASSWORD elastic = #',
    'Password for the [elastic] user successfully reset.\nNew value: #',
    'The generated password for the elastic built-in superuser is : #',
    'Password for the elastic user (reset with `bin/elasticsearch-reset-password -u elastic`):\n  #\n',
  ])('%s', (template) => {
    const redacted = redact(template.replace('#', `${SECRET}=*q`));
    expect(redacted).toBe(template.replace('#', '[REDACTED:PASSWORD]'));
  });

  it.each([
    '{"id": "https://v.vault.azure.net/secrets/db/2b3c", "name": "db", "value": null}',
    'az keyvault secret set --vault-name v --name x --file secret.txt',
    'az keyvault secret set --vault-name v --name x --value "$SECRET"',
    'run elasticsearch-reset-password -u elastic to change it',
  ])('has no secret in: %s', (text) => {
    expect(redact(text)).toBe(text);
  });
});
