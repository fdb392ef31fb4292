import { atLeast } from '../fragments.ts';

/** A token whose grammar is more than one run after the other. */
export interface CustomToken {
  readonly id: string;
  readonly vendor: string;
  readonly source: string;
  /** Its first two to seven characters. */
  readonly signs: readonly string[];
  /** Not behind `-`, `_` or `.` either. */
  readonly alone: boolean;
  /** What it matches at the place of the sign; bounded, or open only at its end. */
  readonly pattern: string;
}

export const CUSTOM_TOKENS: readonly CustomToken[] = [
  {
    // Tokens of apps may become a prefixed JWT: github.blog, "Notice about upcoming new format for GitHub App tokens".
    id: 'GITHUB-TOKEN',
    vendor: 'GitHub',
    source: 'https://github.blog/changelog/',
    signs: ['ghs_', 'ghu_'],
    alone: false,
    pattern: String.raw`gh[su]_\w{36,1024}(?:\.[\w-]{16,4096}){1,2}`,
  },
  {
    // All have a number (team, version) soon after the prefix, which an example such as xoxb-your-token has not.
    id: 'SLACK-TOKEN',
    vendor: 'Slack',
    source: 'https://docs.slack.dev/authentication/tokens',
    signs: ['xoxa', 'xoxb', 'xoxe', 'xoxo', 'xoxp', 'xoxr', 'xoxs', 'xoxc', 'xoxd', 'xapp'],
    alone: false,
    pattern: `(?:xox[abcdeoprs]|xapp)-(?=[A-Za-z-]{0,20}\\d)${atLeast(10, 'A-Za-z0-9-')}`,
  },
  {
    // Project keys with a name in them, before the prefixes of today.
    id: 'OPENAI-KEY',
    vendor: 'OpenAI',
    source: 'gitleaks',
    signs: ['sk-'],
    alone: false,
    pattern: `sk-(?!ant-)[\\w-]{20,80}?T3BlbkFJ${atLeast(20, 'A-Za-z0-9')}`,
  },
  {
    // RFC 7519: signed (RFC 7515, three parts, no signature with alg none) or encrypted (RFC 7516, five parts); the
    // header starts with `{"`, which is eyJ in base64url.
    id: 'JWT',
    vendor: 'JSON Web Token',
    source: 'https://www.rfc-editor.org/rfc/rfc7519',
    signs: ['eyJ'],
    alone: true,
    pattern: `eyJ[\\w-]{8,2048}(?:\\.ey${atLeast(8, '\\w-')}\\.[\\w-]*|(?:\\.[\\w-]*){4})`,
  },
  {
    // The number of the bot stands before it, with a colon between them.
    id: 'TELEGRAM-TOKEN',
    vendor: 'Telegram',
    source: 'https://core.telegram.org/bots/api#authorizing-your-bot',
    signs: ['AA'],
    alone: false,
    pattern: '(?<=(?<!\\d)\\d{6,12}(?::|%3[aA]))AA[\\w-]{32,34}(?![\\w-])',
  },
  {
    // base64 of the user's number, a time, a signature.
    id: 'DISCORD-TOKEN',
    vendor: 'Discord',
    source: 'https://discord.com/developers/docs/reference#authentication',
    signs: ['MT', 'MD', 'Mj', 'Mz', 'ND', 'NT', 'Nj', 'Nz', 'OD', 'OT'],
    alone: true,
    pattern: '[MNO][A-Za-z0-9]{22,27}\\.[\\w-]{6}\\.[\\w-]{27,40}(?![\\w-])',
  },
];
