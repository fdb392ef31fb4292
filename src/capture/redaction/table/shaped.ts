import type { Rule } from '../rule.ts';
import { isPlaceholder } from '../search/value-test.ts';

/** Tokens and addresses whose grammar is more than one run after the other. */

const START = '(?<![A-Za-z0-9])';
const expression = (source: string): RegExp => new RegExp(source, 'dy');

/** Signed (RFC 7515, three parts, no signature with alg none) or encrypted (RFC 7516, five parts). */
const JWT = String.raw`eyJ[\w-]{8,4096}(?:\.ey[\w-]{8,16384}\.[\w-]{0,4096}|(?:\.[\w-]{0,16384}){4})`;
const isJwt = (text: string): boolean =>
  /^eyJ[\w-]{8,}\.e?/.test(Buffer.from(text, 'base64').toString('latin1'));

export const SHAPED: readonly Rule[] = [
  {
    // Tokens of apps may be a prefixed JWT.
    id: 'GITHUB-TOKEN',
    kind: 'token',
    keywords: ['ghs_', 'ghu_'],
    pattern: expression(String.raw`${START}gh[su]_\w{36,1024}(?:\.[\w-]{16,4096}){1,2}`),
    source: 'github.blog/changelog',
  },
  {
    // All have a number (team, version) soon after the prefix, which an example such as xoxb-your-token has not.
    id: 'SLACK-TOKEN',
    kind: 'token',
    keywords: [
      'xoxa',
      'xoxb',
      'xoxe',
      'xoxo',
      'xoxp',
      'xoxr',
      'xoxs',
      'xoxc',
      'xoxd',
      'xapp',
      'Xoxb',
      'XOXB',
    ],
    pattern: new RegExp(
      `${START}(?:xox[abcdeoprs]|xapp)(?:-|\\.xox[bp]-)(?=[A-Za-z-]{0,20}\\d)[A-Za-z0-9-]{8,512}`,
      'iy',
    ),
    source: 'docs.slack.dev/authentication/tokens',
  },
  {
    id: 'OPENAI-KEY',
    kind: 'token',
    keywords: ['sk-'],
    pattern: expression(String.raw`${START}sk-(?!ant-)[\w-]{20,80}?T3BlbkFJ[\w-]{20,80}`),
    source: 'gitleaks',
  },
  {
    id: 'JWT',
    kind: 'token',
    keywords: ['eyJ'],
    pattern: expression(`(?<![\\w.])${JWT}`),
    source: 'rfc-editor.org/rfc/rfc7519',
  },
  {
    id: 'JWT',
    kind: 'token',
    keywords: ['ZXlK'],
    pattern: expression(String.raw`${START}ZXlK[\w+/-]{40,16384}={0,2}`),
    test: isJwt,
    source: 'gitleaks',
  },
  {
    // The number of the bot stands before it.
    id: 'TELEGRAM-TOKEN',
    kind: 'word',
    keywords: [':aa'],
    pattern: expression(String.raw`(?<=(?<!\d)\d{6,12}):(?<secret>AA[\w-]{32,34})(?![\w-])`),
    source: 'core.telegram.org/bots/api',
  },
  {
    id: 'AZURE-AD-SECRET',
    kind: 'word',
    keywords: ['q~'],
    pattern: expression(String.raw`(?<=(?<![\w.~-])[\w.~]{3}\d)Q~[\w.~-]{31,34}(?![\w.~-])`),
    source: 'gitleaks',
  },
  {
    id: 'TERRAFORM-TOKEN',
    kind: 'word',
    keywords: ['.atlasv1.'],
    pattern: expression(String.raw`(?<=(?<![A-Za-z0-9])[A-Za-z0-9]{14})\.atlasv1\.[\w=-]{60,70}`),
    source: 'developer.hashicorp.com/terraform',
  },
  {
    id: 'MAXMIND-KEY',
    kind: 'word',
    keywords: ['_mmk'],
    pattern: expression(
      String.raw`(?<=(?<![A-Za-z0-9])(?<secret>[A-Za-z0-9]{6}_[A-Za-z0-9]{29}))_mmk(?!\w)`,
    ),
    source: 'gitleaks',
  },
  {
    id: 'SLACK-WEBHOOK',
    kind: 'word',
    keywords: ['hooks.slack.com'],
    pattern: expression(
      String.raw`hooks\.slack\.com\/(?:services|workflows|triggers)\/(?<secret>[\w+/]{20,120})`,
    ),
    test: (secret) => !isPlaceholder(secret.replaceAll('/', '')),
    source: 'api.slack.com/messaging/webhooks',
  },
  {
    id: 'TEAMS-WEBHOOK',
    kind: 'word',
    keywords: ['.webhook.office.com'],
    pattern: expression(String.raw`\.webhook\.office\.com\/webhookb2\/(?<secret>[\w@/-]{60,300})`),
    source: 'learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors',
  },
  {
    id: 'DISCORD-WEBHOOK',
    kind: 'word',
    keywords: ['/api/webhooks/'],
    pattern: expression(String.raw`\/api\/webhooks\/\d{15,22}\/(?<secret>[\w-]{40,100})`),
    source: 'discord.com/developers/docs/resources/webhook',
  },
  {
    // The path is all that has to be known: Zapier, Tines, IFTTT, Make.
    id: 'WEBHOOK',
    kind: 'word',
    keywords: ['hooks.zapier.com', '.tines.com/webhook', 'maker.ifttt.com', 'hook.make.com'],
    pattern: expression(
      String.raw`[\w.]{8,40}\/(?:hooks\/catch\/|webhook\/|trigger\/\w+\/(?:json\/)?with\/key\/)(?<secret>[\w/-]{16,120})`,
    ),
    source: 'trufflehog',
  },
];
