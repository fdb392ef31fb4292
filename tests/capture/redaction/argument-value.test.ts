import { describe, expect, test } from 'vitest';
import { compileRedaction, redactText } from '../../../src/capture/redaction/index.ts';
import { BASE62, chars, seeded } from './samples.ts';

const { options } = compileRedaction(undefined);
const redacted = (text: string): string => redactText(text, options).text;

describe.each([1, 2, 3])('seed %i', (seed) => {
  const random = seeded(seed);

  test.each([
    ['PASSWORD', 'CMD ["redis-server", "--requirepass", "#"]'],
    ['PASSWORD', 'CMD ["redis-server","--requirepass","#"]'],
    ['SECRET', "args: ['--token', '#']"],
    ['PASSWORD', '"args": [\n  "--user",\n  "bob",\n  "--password",\n  "#",\n  "-v"\n]'],
    ['API-KEY', '{"body":"{\\"args\\": [\\"--api-key\\", \\"#\\"]}"}'],
    ['API-KEY', '{"body":"[\\n  \\"--api-key\\",\\n  \\"#\\"\\n]"}'],
    ['SECRET', 'ENTRYPOINT ["serve", "--client-secret", "#"]'],
    ['PASSWORD', 'props.put("mail.smtp.password", "#");'],
    ['PASSWORD', 'viper.SetDefault("database.password", "#")'],
    ['PASSWORD', 'flag.String("db-password", "#", "of the database")'],
    ['API-KEY', 'req.Header.Add("X-Api-Key", "#")'],
    ['API-KEY', "ENV.fetch('SECRET_KEY_BASE', '#')"],
    ['PASSWORD', "await page.type('#password', '#');"],
    ['API-KEY', 'buildConfigField("String", "API_KEY", "\\"#\\"")'],
    ['PASSWORD', 'std::string password{"#"};'],
    ['PASSWORD', "user.set_password('#')"],
    ['PASSWORD', 'Auth: []ssh.AuthMethod{ssh.Password("#")},'],
    ['SECRET', 'client.get(url).bearer_token("#")'],
    ['PASSWORD', 'username == "admin" && password == "#"'],
    ['PASSWORD', "'password' => Hash::make('#'),"],
    ['SECRET', 'secret := []byte("#")'],
  ])('a %s goes that is the argument behind its name: %s', (id, text) => {
    const secret = `x7${chars(random, BASE62, 10)}7`;
    const within = (value: string) => text.replace(/#(?!password)/, value);
    expect(redacted(within(secret)).replaceAll('\\"[', '[').replaceAll(']\\"', ']')).toBe(
      within(`[REDACTED:${id}]`).replaceAll('\\"[', '[').replaceAll(']\\"', ']'),
    );
  });
});

describe('names stay', () => {
  test.each([
    'const fields = ["username", "password", "email2"];',
    '"required": ["token", "secret", "v1beta1"]',
    "t('password', 'Kennwort')",
    'flag.StringVar(&password, "password", "", "of the database")',
    'assert_in("token", "oauth2_tokens")',
    'CMD ["serve", "--password", "--verbose"]',
    'CMD ["serve", "--password", "$PASSWORD"]',
    'props.put("mail.smtp.password", password1)',
    'localStorage.setItem("token", data.token2)',
  ])('behind one another: %s', (text) => {
    expect(redacted(text)).toBe(text);
  });
});
