import { describe, expect, it } from 'vitest';
import { compileRedaction, redactText, redactValue } from '../../../src/capture/redaction/index.ts';
import { BASE62, BASE64, chars, HEX, pick, seeded } from './samples.ts';

const { options } = compileRedaction();

/** Lines of code, settings and output, one a line, that name secrets without holding one. */
const ORDINARY = `
password=changeme
password: <your password>
api_key=<your-key>
API_KEY=your-api-key-here
api_key: "replace-me"
token=\${TOKEN}
token: \${{ secrets.GITHUB_TOKEN }}
TOKEN=$GITHUB_TOKEN
TOKEN=$(cat /run/secrets/token)
token: process.env.TOKEN1
const secret = process.env['CLIENT_SECRET2'];
api_key = os.environ["API_KEY_V2"]
secret: xxx
API_KEY=xxxxxxxxxxxxxxxx
API_KEY=sk-xxxxxxxxxxxxxxxxxxxxxxxx
password: "********"
"token": "...",
secret: '[REDACTED]'
password=
password: ""
"password": null,
password: true
password: string
password?: string;
password: string = '';
token: Token2 | undefined,
function login(user: string, password: string): Promise<Session2>
token = getToken()
token = getToken2(config)
const apiKey = config.apiKey
const apiKey = config.v2.apiKey;
apiKey: base64EncodedKey,
token: oauth2Client.token1
private_key: ed25519.Ed25519PrivateKey,
const token = tokens[0]
if (token === nextToken1234567) {
(password) => hash(password)
password: z.string().min(8)
password: hashPassword(input2.value)
this.password = password2;
password: user.password2
secret: my-secret-name
secretName: db-credentials-2
secretKeyRef: { name: app-secret-v2, key: token }
token: refresh-token-v2
"tokenType": "Bearer"
"token_type": "bearer",
"token": "string",
"token": "access_token"
"password": "Password is required"
password: 'Password',
password: "user.password.required"
errors: { password: 'Passwort falsch' }
"pbkdf2-password": "^1.2.1"
max_tokens: 4096
"input_tokens": 123456789,
"token_count": 12345678
token: 12345678
pass: matchResult?.pass
# pass 12
PASS=3 FAIL=0
STENCIL_BACK_PASS_DEPTH_PASS: 0x8803,
compass: north-4-7-2
PWD=/home/user/Project1
OLDPWD=/home/user/Project2
pwd: /work/My-Project1
secret: /run/secrets/db_password1
token_file=/var/run/secrets/kubernetes.io/serviceaccount/token
token=https://auth.example.org/v1/token
docker login --password-stdin
curl --token <token> https://x.example
deploy --token "$TOKEN"
mysql --password --host db1
Bearer authentication is described in the second chapter
Authorization: Bearer <token>
Authorization: Bearer \${token}
Authorization: Basic <credentials>
headers.set('Authorization', authHeader2)
a bearer token of sixteen-or-more-letters
Basic understanding of cryptography
WWW-Authenticate: Basic realm="staging2"
http://localhost:3000/@vite/client
http://user:\${PASSWORD}@db:5432
postgres://app:<password>@db/app
postgres://$USER:$PASSWORD@db/app
http://user:***@host
ssh://git@github.com:22/org/repo.git
git@github.com:org/repo.git
https://unpkg.com/preact@10.5.13/dist
https://registry.npmjs.org/@types/node/-/node-20.1.0.tgz
//registry.npmjs.org/:_authToken=\${NPM_TOKEN}
self._auth = HTTPBasicAuth(user, password)
xoxb-your-token-here
sk-ant-your-key-here
task-1234567890abcdef1234567890abcdef12345678
risk-assessments-of-the-last-quarter-2026-by-department
.fa-mask-1234567890abcdefghij1234567890ab { }
npm_config_user_agent=npm/10.8.2 node/v20.20.2 linux x64
npm_package_dependencies_some_very_long_package_name_here
if (text.startsWith('-----BEGIN PRIVATE KEY-----')) return 'pem';
const HEADER = "-----BEGIN PRIVATE KEY-----", FOOTER = "-----END PRIVATE KEY-----";
-----BEGIN PRIVATE KEY----- starts such a file, and prose follows it
-----BEGIN CERTIFICATE-----
-----BEGIN PUBLIC KEY-----
function f<T extends Options<Private>>(node: T): node is Private
class Box { private value = 1; }
eyJ is how a JWT begins
integrity sha512-v2kDEe57lecTulaDIuNTPy3Ry4gLGJ6Z1O3vE1krgXZNrsQ+LFTGHVxVjcXPs17LhbZVGedAJv8XZ1tvj5FvSg==
"_resolved": "https://registry.npmjs.org/glob/-/glob-7.2.3.tgz#b8df0fb802bbfa8e89bd1d938b4e16578ed44f2b"
AKIA
the region is ASIA2026 and so on
key: "Enter1234567"
<key name="a1b2c3d4e5f6"/>
"password": "Enter at least 8 characters"
"password": "must match the other one"
"confirm_password": "repeat new password again 2"
password: "nouveau mot de passe choisi"
PASSWORD="Wrong user name or password"
PASSWORD_MESSAGE="Your password expires in 3 days"
PASSWORD=$PW npm run test 2
PASSWORD="$FIRST x1y2z3 $LAST"
pass: "stage 2 went through"
password: 3 of 4 rules hold
password = hashes x 2 rounds done
MNEMONIC="test test test test test test test test test test test junk"
mnemonic: add the two words and see what they have in common when done
mnemonic = await generate(words)
seedPhrase: string | undefined,
FILE_PAT="^[a-z0-9]{8}[0-9a-f]{16}x1"
use_auth=true
basic_auth: enabled2
client_auth = new ClientSecretBasicAuthentication2(config)
PASS src/capture/a1b2.test.ts
 PASS  tests/b2.test.ts
12:00:03 42 LOGIN bob success1
ALTER ROLE app LOGIN PASSWORD
::set-output name=token::$TOKEN
echo "::set-output name=version::1.2.3"
##vso[task.setvariable variable=buildNumber]1.2.3-beta.20261121
##vso[task.setvariable variable=token]$(TOKEN)
github-token: $INPUT_TOKEN
"github-oauth": {"github.com": "<token>"}
localStorage.setItem('token', token2)
localStorage.setItem("token", "my-token-name")
Content-Disposition: form-data; name="password"
wandb login
vault login -method=oidc-with-roles-2026
ngrok config add-authtoken <token>
ngrok config add-authtoken $NGROK_AUTHTOKEN
echo "$USER:$PASS" | chpasswd
chpasswd < users.txt
echo "$DEPLOY_KEY" | gh secret set DEPLOY_KEY
echo "<your-key>" | wrangler secret put API_KEY
gh secret set DEPLOY_KEY <<< "$DEPLOY_KEY"
echo | vercel env add API_KEY production
| \`docker secret create\` | makes one of a file |
AUTH LOGIN
334 UGFzc3dvcmQ6
+OK POP3 ready
331 Please specify the password.
commit 91b41db7f3a0c2d4e5f60718293a4b5c6d7e8f90 (HEAD -> main)
`
  .split('\n')
  .filter((line) => line !== '');

describe('ordinary text', () => {
  it.each(ORDINARY)('is left alone: %s', (line) => {
    for (const text of [line, `+${line}`, `x\n${line}\ny`, JSON.stringify({ line })]) {
      expect(redactText(text, options)).toEqual({ text, counts: {} });
    }
  });

  it('is left alone where a client keeps its ids, hashes, signatures and pictures', () => {
    const random = seeded(7);
    for (let index = 0; index < 500; index += 1) {
      const record = {
        uuid: [8, 4, 4, 4, 12].map((count) => chars(random, HEX, count)).join('-'),
        sessionId: [8, 4, 4, 4, 12].map((count) => chars(random, HEX, count)).join('-'),
        requestId: `req_0${chars(random, BASE62, 23)}`,
        message: { id: `msg_0${chars(random, BASE62, 22)}`, model: 'claude-sonnet-4-5-20250929' },
        content: [
          { type: 'tool_use', id: `toolu_0${chars(random, BASE62, 22)}` },
          { type: 'thinking', signature: `${chars(random, BASE64, 400)}==` },
          { type: 'image', source: { media_type: 'image/png', data: chars(random, BASE64, 3000) } },
        ],
        git: `${chars(random, HEX, 40)} ${chars(random, HEX, 7)}..${chars(random, HEX, 7)}`,
        digest: `sha256:${chars(random, HEX, 64)}`,
        usage: { input_tokens: random(99_999), cache_read_input_tokens: random(99_999) },
      };
      expect(redactValue(record, options).value).toBe(record);
      const text = JSON.stringify(record);
      expect(redactText(text, options).text).toBe(text);
    }
  });

  it('is left alone in generated code that names secrets', () => {
    const random = seeded(11);
    const names = ['token', 'password', 'apiKey', 'secret', 'accessKey', 'credentials'];
    const words = ['next', 'user', 'auth', 'parser', 'Config', 'value', 'state'];
    const numbered = [...words, 'v2', 'oauth2', 'sha256', 'base64'];
    for (let index = 0; index < 2000; index += 1) {
      const name = pick(random, names);
      const [a, b] = [pick(random, words), pick(random, words)];
      const line = pick(random, [
        `const ${name} = ${a}.${pick(random, numbered)};`,
        `${name}: ${a}${b},`,
        `${a}(${name}: string, ${b}: number)`,
        `${name} = await ${a}${pick(random, numbered)}(${b})`,
        `return { ${name}, ${a}: ${b} };`,
        `expect(${name}).toBe(${a}.${b}[0]);`,
        `if (!${name}) throw new Error('${name} of ${a} is missing');`,
      ]);
      expect(redactText(line, options).text).toBe(line);
    }
  });
});
