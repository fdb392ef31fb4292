import type { Rule } from '../rule.ts';
import { ARGUMENT, isGiven, row } from './row.ts';

/** Passwords that commands are given. */

/** An option of programs, on the line on which one of them stands before it. */
const command = (keywords: string, programs: string, pattern: string): Rule =>
  row(
    'COMMAND-PASSWORD',
    'word',
    keywords,
    'manual pages',
    `(?<=(?:^|[^\\w.])(?:${programs})\\b(?:[^\\n]|\\\\\\n){0,400})${pattern}`,
    { test: isGiven, before: 480 },
  );

export const COMMANDS: readonly Rule[] = [
  command(
    '-u |--user|-u"|-u\'',
    'curl|http|https|wget|twine|lftp|xh',
    String.raw`(?:-u|--user)[ =]{0,3}(?:"[^\s":]{1,128}:(?<a>[^"\n]{1,256})"|'[^\s':]{1,128}:(?<b>[^'\n]{1,256})'|[^\s:"']{1,128}:(?<secret>[^\s"'\`]{1,256}))`,
  ),
  command(
    ' -a ',
    'http|https|xh',
    String.raw` -a[ ]{1,3}[^\s:"']{1,128}:(?<secret>[^\s"'\`]{1,256})`,
  ),
  command(
    ' -p',
    'mysql|mysqldump|mysqladmin|mariadb|mariadb-dump|sshpass|7z|7za|unrar|zip',
    String.raw` -p[ ]?${ARGUMENT}`,
  ),
  command(
    ' -p ',
    'docker login|podman login|helm registry login|az login|twine|buildah login|skopeo login|mongo|mongosh|mongodump',
    String.raw` -p[ ]{1,3}${ARGUMENT}`,
  ),
  command(' -a ', 'redis-cli|valkey-cli', String.raw` -a[ ]{1,3}${ARGUMENT}`),
  row(
    'COMMAND-PASSWORD',
    'word',
    'smbclient|rpcclient|net rpc|net ads|net -u',
    'samba.org/samba/docs',
    String.raw`(?:smbclient|rpcclient|net)\b(?:[^\n]|\\\n){0,400}?-U[ ]{0,3}["']?[\w.\\-]{1,64}%(?<secret>[^\s"']{1,128})`,
    { test: isGiven },
  ),
  command('pass:', 'openssl', String.raw`pass:(?<secret>[^\s"']{1,256})`),
  command(' -k ', 'openssl enc', String.raw` -k[ ]{1,3}${ARGUMENT}`),
  command(' -b|--body', 'gh secret set', String.raw`(?:-b|--body)[ =]{1,3}${ARGUMENT}`),
  command(
    '--from-literal',
    'kubectl',
    String.raw`--from-literal[ =]["']?[\w.-]{1,128}=${ARGUMENT}`,
  ),
  command(
    '--set',
    'helm',
    String.raw`--set(?:-string)?[ =]["']?[\w.-]{0,128}(?:pass|secret|token|key)\w{0,32}=${ARGUMENT}`,
  ),
];
