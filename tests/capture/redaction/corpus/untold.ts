import { BASE62, BASE64, chars, HEX, pick, type Random, seeded } from '../samples.ts';
import { assigned, base64, type Context } from './contexts.ts';
import { isGone, type Recall } from './recall.ts';

/** Secrets without a beginning of their own that are no single word of a person's either: pass phrases, the words of wallets, keys, base64. */

type Make = (random: Random) => string;

/** Of such a list all words are: some of BIP-39's, none of which a sentence holds together. */
const WORDS =
  'abandon ability about absent access acoustic adapt battery candle correct dolphin engine fabric garden horse island jungle kitchen legal marble napkin orange pencil quantum rocket silver staple thank tiger useful velvet winner worth yellow zebra zoo'.split(
    ' ',
  );
const words = (random: Random, count: number): string =>
  Array.from({ length: count }, () => pick(random, WORDS)).join(' ');

const PHRASES: readonly Make[] = [
  (random) => `${words(random, 3)} ${random(100)}`,
  (random) => `${words(random, 2)} ${10 + random(90)}`,
  (random) => words(random, 4 + random(3)),
  (random) => `${words(random, 2)} ${words(random, 1)}${10 + random(90)} ${words(random, 1)}`,
];
const WALLETS: readonly Make[] = [12, 15, 18, 21, 24].map(
  (count) => (random) => words(random, count),
);
const KEYS: readonly Make[] = [
  (random) => chars(random, HEX, 32),
  (random) => chars(random, BASE62, 40),
  (random) => chars(random, BASE62, 24),
];
const UUIDS: readonly Make[] = [
  (random) => [8, 4, 4, 4, 12].map((count) => chars(random, HEX, count)).join('-'),
];
const PLAIN_LOGINS: readonly Make[] = [
  (random) => base64(`\0${chars(random, BASE62, 6)}\0${chars(random, BASE62, 10)}`),
];
const BASE64S: readonly Make[] = [(random) => base64(chars(random, BASE62, 9 + random(9)))];
const WIREGUARD: readonly Make[] = [(random) => `${chars(random, BASE64, 42)}8=`];

/** The places of each. */
const PLACES: readonly (readonly [makers: readonly Make[], places: readonly Context[]])[] = [
  [
    PHRASES,
    [
      assigned('.env, double marks', 'DB_PASSWORD="', '"\n'),
      assigned('.env, single marks', "DB_PASSWORD='", "'\n"),
      assigned('.env', 'A=1\nDB_PASSWORD=', '\nB=2\n'),
      assigned('.env, in JSON', '{"output":"A=1\\nDB_PASSWORD=', '\\nB=2"}'),
      assigned('.env, a diff', '@@ -1 +1 @@\n+DB_PASSWORD=', '\n'),
      assigned('.env, cat -A', 'DB_PASSWORD=', '$\nB=2$\n'),
      assigned('export', 'export PASS="', '" && npm start\n'),
      assigned('docker run -e', 'docker run -e "DB_PASSWORD=', '" x'),
      assigned('docker-compose', '      DB_PASSWORD: ', '\n'),
      assigned('YAML', 'db:\n  password: ', '\n  user: me\n'),
      assigned('YAML, marks', 'passphrase: "', '"\n'),
      assigned('JSON', '{"password": "', '"}'),
      assigned('ini', '[db]\npassword = ', '\n'),
      assigned('Java properties', 'spring.datasource.password=', '\n'),
      assigned('XML', '<password>', '</password>'),
      assigned('coloured', '\x1b[36mDB_PASSWORD\x1b[0m="', '"\n'),
    ],
  ],
  [
    WALLETS,
    [
      assigned('MNEMONIC', 'MNEMONIC="', '"\n'),
      assigned('MNEMONIC, bare', 'A=1\nMNEMONIC=', '\nB=2\n'),
      assigned('MNEMONIC, in JSON', '{"output":"MNEMONIC=', '\\nB=2"}'),
      assigned('SEED_PHRASE', "export SEED_PHRASE='", "'\n"),
      assigned('RECOVERY_PHRASE', 'WALLET_RECOVERY_PHRASE=', '\n'),
      assigned('JSON', '{"mnemonic": "', '"}'),
      assigned('JSON in JSON', '{\\"seedPhrase\\": \\"', '\\"}'),
      assigned('code', "const mnemonic = '", "';"),
      assigned('a call', 'ethers.Wallet.fromPhrase("', '")'),
      assigned('ganache', 'ganache --mnemonic "', '"'),
      assigned('ganache, printed', 'Mnemonic:      ', '\nBase HD Path: m'),
      assigned('told', 'Seed phrase: ', '\n'),
      assigned('told in a sentence', 'my seed phrase is ', '\n'),
    ],
  ],
  [
    KEYS,
    [
      assigned('Spring, encrypt', 'encrypt:\n  key: ', '\n'),
      assigned('a block in a block', 'jwt:\n  # of tests\n  hs256:\n    key: ', '\n'),
      assigned('a block of an item', 'providers:\n  - encrypt:\n      key: ', '\n'),
      assigned('a block, in the next line', 'jwt:\n  key: >-\n    ', '\n  ttl: 1\n'),
      assigned('a block, read', '    12\tjwt:\n    13\t  key: ', '\n'),
      assigned('a block, grep', 'a.yml:12:jwt:\na.yml-13-  ttl: 1\na.yml:14:  key: ', '\n'),
      assigned('a block in JSON', '{"file":"app:\\n  jwt:\\n    ttl: 1\\n    key: ', '\\n"}'),
      assigned('continued', 'export TOKEN=\\\n  ', '\n'),
      assigned('continued, in JSON', '{"output":"TOKEN=\\\\\\n', '\\n"}'),
      assigned('set-output', 'echo "::set-output name=token::', '"\n'),
      assigned('save-state', '::save-state name=api_key::', '\n'),
      assigned(
        'task.setvariable',
        '##vso[task.setvariable variable=accessToken;isOutput=true]',
        '\n',
      ),
      assigned(
        'task.setvariable, issecret',
        '##vso[task.setvariable variable=x;isSecret=true]',
        '\n',
      ),
      assigned('task.setsecret', '##vso[task.setsecret]', '\n'),
      ...[
        'X-JFrog-Art-Api',
        'X-Honeycomb-Team',
        'X-Auth-Token',
        'X-Vault-Token',
        'X-Shopify-Access-Token',
        'PRIVATE-TOKEN',
        'DD-API-KEY',
        'Api-Key',
      ].flatMap((header) => [
        assigned(header, `${header}: `, '\r\nAccept: */*\r\n'),
        assigned(`${header}, curl`, `curl -H "${header}: `, '" https://x.example'),
      ]),
      assigned('GH_PAT', 'GH_PAT=', '\n'),
      assigned('ADO_PAT', 'export ADO_PAT="', '"\n'),
      assigned('a PAT in JSON', '{"github_pat": "', '"}'),
      assigned('--github-pat', 'deploy --github-pat ', ' --now'),
      assigned('NPM_AUTH', 'NPM_AUTH=', '\n'),
      assigned('composer', 'composer config -g github-oauth.github.com ', '\n'),
      assigned('composer, bearer', 'composer config bearer.repo.example.org ', '\n'),
      assigned(
        'auth.json',
        '{\n    "gitlab-token": {\n        "git.example.org": "',
        '"\n    }\n}',
      ),
      assigned('auth.json, in JSON', '{\\"github-oauth\\":{\\"github.com\\":\\"', '\\"}}'),
      assigned('ngrok', 'ngrok config add-authtoken ', '\n'),
      assigned('ngrok, in JSON', '{"output":"\\nngrok authtoken ', '\\n"}'),
      assigned('wandb', 'wandb login --relogin ', '\n'),
      assigned('vault', 'vault login "', '"\n'),
      assigned('nuget', 'nuget setapikey ', ' -Source x\n'),
      assigned('localStorage', "localStorage.setItem('token', '", "');"),
      assigned('sessionStorage', 'sessionStorage.setItem("authToken", "', '")'),
      assigned(
        'form data',
        'Content-Disposition: form-data; name="api_token"\r\n\r\n',
        '\r\n--X--',
      ),
    ],
  ],
  [
    UUIDS,
    [
      assigned('heroku', '$ heroku auth:token\n', '\n$ '),
      assigned('heroku, a warning', '$ heroku auth:token\n ›   Warning: it expires\n', '\n'),
    ],
  ],
  [
    PLAIN_LOGINS,
    [
      assigned('AUTH PLAIN', 'EHLO me\nAUTH PLAIN ', '\n235 ok\n'),
      assigned('AUTH PLAIN, smtplib', "send: 'AUTH PLAIN ", "\\r\\n'\n"),
      assigned('AUTH PLAIN, asked', 'C: AUTH PLAIN\r\nS: 334 \r\nC: ', '\r\nS: 235 ok\r\n'),
    ],
  ],
  [
    BASE64S,
    [
      assigned(
        'AUTH LOGIN',
        'AUTH LOGIN\n334 VXNlcm5hbWU6\nbWU=\n334 UGFzc3dvcmQ6\n',
        '\n235 ok\n',
      ),
      assigned('AUTH LOGIN, swaks', '<-  334 UGFzc3dvcmQ6\n -> ', '\n<-  235 ok\n'),
      assigned('AUTH LOGIN, in JSON', '"334 UGFzc3dvcmQ6\\r\\n', '\\r\\n235 ok"'),
    ],
  ],
  [
    WIREGUARD,
    [
      assigned('WireGuard', '[Peer]\nPresharedKey = ', '\n'),
      assigned('wg show', '  preshared key: ', '\n'),
    ],
  ],
];

/** Each of the places. */
export const UNTOLD_PLACES = PLACES.flatMap(([makers, places]) =>
  places.map((place) => ({ place, makers })),
);

/** How much of what such places hold is gone. */
export function untoldRecall(
  { place, makers }: (typeof UNTOLD_PLACES)[number],
  samples: number,
): Recall {
  const random = seeded(37);
  const recall = { found: 0, named: 0, of: samples };
  for (let index = 0; index < samples; index += 1) {
    const secret = makers[index % makers.length]!(random);
    if (isGone(place.wrap(secret, secret, random)) && isWhole(place, secret, random))
      recall.found += 1;
  }
  return recall;
}

/** Whether also the end of the secret is gone: words may be taken one by one. */
function isWhole(place: Context, secret: string, random: Random): boolean {
  const { text, shown } = place.wrap(secret, secret, random);
  return isGone({ text, shown: shown.slice(-Math.max(8, shown.length >> 1)) });
}
