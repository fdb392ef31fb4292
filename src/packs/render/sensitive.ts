import path from 'node:path';
import { excludedBy } from '../../platform/exclude.ts';

/** Names of files that hold secrets more often than not. They match at any depth, and what lies below a folder of that name. */
const SENSITIVE: readonly string[] = [
  ...['.env*', '*.pem', '*.key', '*.p12', '*.pfx', '*.jks', '*.kdbx', '*.ovpn'],
  ...['id_rsa*', 'id_ed25519*', 'id_ecdsa*', '.netrc', '.npmrc', '.pypirc', '.git-credentials'],
  ...['.htpasswd', '*.tfstate*', 'credentials*.json', 'service-account*.json'],
  ...['.aws', '.ssh', '.gnupg', '.kube', '.git', '.ben10'],
];
const ANY_SENSITIVE = new RegExp(
  `(?:^|/)(?:${SENSITIVE.map((one) => one.replaceAll('.', '\\.').replaceAll('*', '[^/]*')).join('|')})(?:/|$)`,
);
const ENV = '.env*';
const ENV_SAMPLE = /^\.env\.(?:example|sample|template|dist)$/;

export interface Rules {
  dir: string;
  /** The pattern of `context.excludePatterns` that matches. */
  excludedBy(name: string): string | undefined;
  deny: readonly string[];
}

/** The pattern that keeps a file, or what lies in a folder, out of packs. Names are from the project's folder on, with `/`. */
export type DeniedBy = (name: string) => string | undefined;

/** Remembers its answers: one is asked of a file when it is found, and when it is read. */
export function denials(rules: Rules): DeniedBy {
  const known = new Map<string, string | undefined>();
  return (name) => {
    if (!known.has(name)) known.set(name, deniedBy(rules, name));
    return known.get(name);
  };
}

function deniedBy({ dir, excludedBy: excluded, deny }: Rules, name: string): string | undefined {
  const own = excludedBy(deny, dir, name);
  if (own !== undefined) return own;
  // Where names are the same in any case, `.ENV` opens `.env`.
  const lower = name.toLowerCase();
  const found = [
    excluded(name),
    ANY_SENSITIVE.test(lower) ? excludedBy(SENSITIVE, dir, lower) : undefined,
  ];
  return found.find((one) => one !== undefined && !(one === ENV && isSample(lower)));
}

const isSample = (name: string): boolean => ENV_SAMPLE.test(path.posix.basename(name));

const LOCK_FILES = new Set(
  `package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock Cargo.lock poetry.lock uv.lock composer.lock Gemfile.lock
  go.sum flake.lock`.split(/\s+/),
);
const MADE = /\.min\.[^/]+$|\.map$/;

/** Files that programs wrote: they use up a budget and say little. A collection leaves them out unless it names them. */
export const isNoise = (name: string): boolean =>
  MADE.test(name) || LOCK_FILES.has(path.posix.basename(name));
