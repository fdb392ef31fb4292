import { atLeast, SLASH, tokenStart } from './fragments.ts';
import { onDemand, type RedactionRule } from './rule.ts';

/**
 * Tokens that carry their vendor's prefix. Lengths are the published ones where they are fixed for good, and lower bounds
 * where vendors have lengthened them before; alphabets are published or those of every token seen in public detectors.
 */
export const VENDOR_RULES: readonly RedactionRule[] = [
  {
    // github.blog, "Behind GitHub's new authentication token formats": prefix, then 36 of base62 (longer was announced,
    // and app tokens may be a prefixed JWT); fine-grained: github_pat_ + 22 + _ + 59.
    id: 'GITHUB-TOKEN',
    prefilter: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
    pattern: () =>
      /gh[pousr]_[A-Za-z0-9_]{36}[A-Za-z0-9_]*(?:\.[\w-]{16,4096}){0,2}|github_pat_[A-Za-z0-9_]{36}[A-Za-z0-9_]*/g,
  },
  {
    // github.blog, "npm access token format": npm_ + 30 of base62 + 6 of checksum.
    id: 'NPM-TOKEN',
    prefilter: ['npm_'],
    pattern: onDemand(() => new RegExp(`${tokenStart('npm_')}${atLeast(36, 'A-Za-z0-9')}`, 'g')),
  },
  {
    // docs.npmjs.com, .npmrc: `//registry/:_authToken=`, `:_auth=`, `:_password=`, in old files without the registry; the
    // value may be a UUID.
    id: 'NPM-TOKEN',
    prefilter: ['_auth', '_password'],
    keep: 1,
    pattern: onDemand(
      () =>
        new RegExp(
          `(/:_(?:authToken|auth|password)(?:[ \\t]{0,4}=[ \\t]{0,4}|[ \\t]{1,4})["']?|(?:^|\\\\n)_(?:authToken|auth|password)=["']?)${atLeast(8, '^\\s"\'$(){}<>\\\\')}`,
          'gm',
        ),
    ),
  },
  {
    // api.slack.com/authentication/token-types: xoxb-, xoxp-, xoxa-, xoxr-, xoxs-, xoxe(.xoxp)-, xapp-; all have a number
    // (team, version) soon after the prefix, which an example such as xoxb-your-token has not.
    id: 'SLACK-TOKEN',
    prefilter: ['xox', 'xapp-'],
    pattern: onDemand(
      () =>
        new RegExp(`(?:xox[abeoprs]|xapp)-(?=[A-Za-z-]{0,20}\\d)${atLeast(10, 'A-Za-z0-9-')}`, 'g'),
    ),
  },
  {
    // api.slack.com/messaging/webhooks: the path is the credential.
    id: 'SLACK-WEBHOOK',
    prefilter: ['hooks.slack'],
    keep: 1,
    pattern: onDemand(
      () =>
        new RegExp(
          `(hooks\\.slack(?:-gov)?\\.com${SLASH}(?:services|workflows|triggers)${SLASH})[A-Z][A-Z0-9]{5,20}(?:${SLASH}[A-Za-z0-9]{5,64}){1,3}`,
          'g',
        ),
    ),
  },
  {
    // sk-ant-api03-…, sk-ant-admin01-…, sk-ant-oat01-… (93 characters and AA), older sk-ant- + 101.
    id: 'ANTHROPIC-KEY',
    prefilter: ['sk-ant-'],
    pattern: onDemand(() => new RegExp(`sk-ant-${atLeast(40, '\\w-')}`, 'g')),
  },
  {
    // sk- + 48 (20, T3BlbkFJ, 20), sk-proj-, sk-svcacct-, sk-admin- with longer, URL-safe ones; many compatible services
    // (sk-or-v1- + 64 hex, sk- + 32 hex) write the same prefix.
    id: 'OPENAI-KEY',
    prefilter: ['sk-'],
    pattern: onDemand(
      () =>
        new RegExp(
          `${tokenStart('sk-')}(?!ant-)(?:(?:proj|svcacct|service|admin|None|or-v1)-${atLeast(32, '\\w-')}|${atLeast(32, 'A-Za-z0-9')}|[\\w-]{20,80}?T3BlbkFJ${atLeast(20, 'A-Za-z0-9')})`,
          'g',
        ),
    ),
  },
  {
    // cloud.google.com/docs/authentication/api-keys: AIza + 35, URL-safe.
    id: 'GOOGLE-API-KEY',
    prefilter: ['aiza'],
    pattern: onDemand(() => new RegExp(`${tokenStart('AIza', '\\w-')}[\\w-]{35}(?![\\w-])`, 'g')),
  },
  {
    // Google OAuth 2: access tokens ya29.…, client secrets GOCSPX- + 28.
    id: 'GOOGLE-OAUTH',
    prefilter: ['ya29.', 'gocspx-'],
    pattern: onDemand(
      () =>
        new RegExp(
          `${tokenStart('ya29\\.')}[\\w-]${atLeast(19, '\\w.-')}|${tokenStart('GOCSPX-')}${atLeast(28, '\\w-')}`,
          'g',
        ),
    ),
  },
  {
    // docs.aws.amazon.com, IAM identifiers: AKIA (long-term) and ASIA (temporary) + 16.
    id: 'AWS-ACCESS-KEY',
    prefilter: ['akia', 'asia'],
    pattern: onDemand(
      () => new RegExp(`${tokenStart('A(?:KIA|SIA)')}[A-Z0-9]{16}(?![A-Za-z0-9])`, 'g'),
    ),
  },
  {
    // RFC 7519: signed (RFC 7515, three parts, no signature with alg none) or encrypted (RFC 7516, five parts); the
    // header starts with `{"`, which is eyJ in base64url.
    id: 'JWT',
    prefilter: ['eyj'],
    pattern: onDemand(
      () =>
        new RegExp(
          `${tokenStart('eyJ', '\\w-')}[\\w-]{8,2048}(?:\\.ey${atLeast(8, '\\w-')}\\.[\\w-]*|(?:\\.[\\w-]*){4})`,
          'g',
        ),
    ),
  },
];
