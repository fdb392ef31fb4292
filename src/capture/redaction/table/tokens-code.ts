import type { TokenRow } from './row.ts';

const GITHUB_DOCS =
  'https://github.blog/engineering/behind-githubs-new-authentication-token-formats/';
const GITLAB_DOCS = 'https://docs.gitlab.com/security/tokens/#token-prefixes';

/** Where code is kept, built, tested and published. */
export const CODE_TOKENS: readonly TokenRow[] = [
  // Longer ones were announced, and those of apps may be a prefixed JWT with dots (see `custom-tokens.ts`).
  [
    'GITHUB-TOKEN',
    'GitHub',
    GITHUB_DOCS,
    '{ghp|gho|ghu|ghs|ghr}_{n36,}',
    { checksum: 'crc32-base62' },
  ],
  ['GITHUB-TOKEN', 'GitHub', GITHUB_DOCS, 'github_pat_{w36,}'],
  [
    'NPM-TOKEN',
    'npm',
    'https://github.blog/changelog/2021-09-23-npm-has-a-new-access-token-format/',
    'npm_{n36,}',
    { checksum: 'crc32-base62' },
  ],
  [
    'GITLAB-TOKEN',
    'GitLab',
    GITLAB_DOCS,
    '{glpat|gldt|glrt|glrtr|glft|glffct|glimt|glsoat|glagent|gloas|glptt|glwt}-{c20,}',
  ],
  ['GITLAB-TOKEN', 'GitLab', GITLAB_DOCS, 'glcbt-{n1,5}_{w20,}'],
  ['GITLAB-TOKEN', 'GitLab', 'gitleaks', 'GR1348941{w20,}'],
  ['BITBUCKET-TOKEN', 'Bitbucket', 'github', 'ATBB{n24,}', { alone: true, entropy: 3 }],
  ['BITBUCKET-TOKEN', 'Bitbucket', 'github', 'ATCTT3xFf{c60,}'],
  ['ATLASSIAN-TOKEN', 'Atlassian', 'gitleaks', 'ATATT3{c60,}'],
  ['ATLASSIAN-TOKEN', 'Atlassian', 'github', 'ATOA{c60,}', { alone: true, entropy: 4 }],
  ['TRELLO-TOKEN', 'Trello', 'https://developer.atlassian.com/cloud/trello/', 'ATTA{h64,}'],
  [
    'SOURCEGRAPH-TOKEN',
    'Sourcegraph',
    'https://sourcegraph.com/docs/cli/how-tos/creating_an_access_token',
    'sgp_{x16,40}_{x40}',
  ],
  ['SOURCEGRAPH-TOKEN', 'Sourcegraph', 'gitleaks', 'sgp_local_{x40}'],
  ['SOURCEGRAPH-TOKEN', 'Sourcegraph', 'gitleaks', 'sgp_{x40}'],
  ['SOURCEGRAPH-TOKEN', 'Sourcegraph', 'trufflehog', '{slk|sgd}_{h64}'],
  [
    'PYPI-TOKEN',
    'PyPI',
    'https://pypi.org/help/#apitoken',
    'pypi-{AgEIcHlwaS5vcmc|AgENdGVzdC5weXBpLm9yZw}{w50,}',
  ],
  ['RUBYGEMS-KEY', 'RubyGems', 'https://guides.rubygems.org/api-key-scopes/', 'rubygems_{h48}'],
  ['CRATES-IO-TOKEN', 'crates.io', 'trufflehog', 'cio{n32}', { alone: true, entropy: 3.5 }],
  ['NUGET-KEY', 'NuGet', 'github', 'oy2{k43}', { alone: true, entropy: 3.3 }],
  ['CLOJARS-TOKEN', 'Clojars', 'gitleaks', 'CLOJARS_{x60,}'],
  ['PACKAGIST-TOKEN', 'Packagist', 'github', 'packagist_{a2,8}_{h40,}'],
  [
    'DOCKER-TOKEN',
    'Docker',
    'https://docs.docker.com/security/access-tokens/',
    'dckr_{pat|oat}_{w27,}',
  ],
  ['ARTIFACTORY-KEY', 'JFrog', 'gitleaks', 'AKCp{n69,}', { alone: true, entropy: 4 }],
  ['ARTIFACTORY-TOKEN', 'JFrog', 'gitleaks', 'cmVmd{n59,}', { alone: true, entropy: 4 }],
  ['OCTOPUS-KEY', 'Octopus Deploy', 'gitleaks', 'API-{K26,}', { alone: true, entropy: 3 }],
  [
    'CIRCLECI-TOKEN',
    'CircleCI',
    'https://circleci.com/docs/managing-api-tokens/',
    'CCI{PAT|PRJ}_{n22}_{h40}',
  ],
  ['BUILDKITE-TOKEN', 'Buildkite', 'github', 'bk{ua|at|pt|ct|pi|ps|art|aj}_{w32,}'],
  ['HARNESS-TOKEN', 'Harness', 'gitleaks', '{pat|sat}.{w22}.{n24}.{n20}'],
  [
    'SONAR-TOKEN',
    'SonarQube',
    'https://docs.sonarsource.com/sonarqube-server/user-guide/managing-tokens/',
    '{sqp|squ|sqa|sqb}_{h40}',
  ],
  ['SNYK-TOKEN', 'Snyk', 'github', 'snyk_{uat|sat|oat}.{h8}.{w20,}'],
  ['INFRACOST-KEY', 'Infracost', 'gitleaks', 'ico-{n32}', { alone: true, entropy: 3 }],
  ['PULUMI-TOKEN', 'Pulumi', 'gitleaks', 'pul-{h40}'],
  ['PREFECT-KEY', 'Prefect', 'gitleaks', '{pnu|pnb}_{n36}'],
  [
    'POSTMAN-KEY',
    'Postman',
    'https://learning.postman.com/docs/developer/postman-api/authentication/',
    'PMAK-{x24}-{x34}',
  ],
  ['POSTMAN-COLLECTION-KEY', 'Postman', 'github', 'PMAT-{K26}'],
  ['WAKATIME-KEY', 'WakaTime', 'https://wakatime.com/developers', 'waka_{u}'],
  ['CURSOR-KEY', 'Cursor', 'https://cursor.com/docs/api', 'crsr_{h64}'],
  ['INTRA42-SECRET', '42 Intra', 'gitleaks', 's-s4t2{ud|af}-{h64}'],
  ['LICHESS-TOKEN', 'Lichess', 'github', '{lip|lio}_{n20,}', { entropy: 3 }],
  ['README-KEY', 'ReadMe', 'gitleaks', 'rdme_{k70}'],
  ['CHROMATIC-TOKEN', 'Chromatic', 'https://www.chromatic.com/docs/setup/', 'chpt_{h15,}'],
  ['UNKEY-KEY', 'Unkey', 'https://www.unkey.com/docs', 'unkey_{n22,}', { entropy: 3 }],
];
