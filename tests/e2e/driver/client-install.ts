/**
 * The real client, from npm, in a cache folder outside the repository.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The version that the facts in these tests were seen with. */
export const CLIENT_VERSION = '2.1.329';

/** The client is a download of about 100 MB; a slow line gets this long, in milliseconds. */
const INSTALL_TIMEOUT_MS = 300_000;

export type ClientAvailability = { ok: true; binary: string } | { ok: false; why: string };

/**
 * Says whether the real client can be driven here, and installs it into the cache if need be.
 * `BEN10_CLIENT_CACHE` names another cache than `~/.cache/ben10-e2e`.
 */
export function clientAvailable(): ClientAvailability {
  if (process.platform !== 'linux') return no('network namespaces need Linux');
  if (process.getuid?.() !== 0) return no('a network namespace needs root');
  try {
    execFileSync('unshare', ['-n', 'ip', 'link', 'set', 'lo', 'up'], { stdio: 'pipe' });
  } catch (error) {
    return no(`no network namespace with loopback can be made (${headOf(error)})`);
  }
  try {
    execFileSync('script', ['--version'], { stdio: 'pipe' });
  } catch (error) {
    return no(`no terminal can be made (${headOf(error)})`);
  }
  try {
    return { ok: true, binary: installedBinary() };
  } catch (error) {
    return no(`@anthropic-ai/claude-code@${CLIENT_VERSION} cannot be installed (${headOf(error)})`);
  }
}

/**
 * For `describe.runIf`: false, after a visible line, where the real client cannot be driven.
 * @throws where `CI` is set: there these tests are never skipped.
 */
export function clientIsHere(): boolean {
  const client = clientAvailable();
  if (client.ok) return true;
  if (process.env.CI) throw new Error(`CI must drive the real client, but ${client.why}`);
  console.warn(`SKIPPED: the tests with the real client, because ${client.why}`);
  return false;
}

const no = (why: string): ClientAvailability => ({ ok: false, why });

const headOf = (error: unknown): string => String(error).split('\n', 1)[0] ?? '';

function installedBinary(): string {
  const cache = process.env.BEN10_CLIENT_CACHE ?? join(homedir(), '.cache', 'ben10-e2e');
  const home = join(cache, CLIENT_VERSION);
  if (!existsSync(home)) install(cache, home);
  return findBinary(home);
}

/** Installs beside the final folder and renames: two test workers may do this at once. */
function install(cache: string, home: string): void {
  mkdirSync(cache, { recursive: true });
  const scratch = mkdtempSync(join(cache, 'installing-'));
  try {
    const spec = `@anthropic-ai/claude-code@${CLIENT_VERSION}`;
    const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
    execFileSync('npm', ['install', '--prefix', scratch, ...quiet, spec], {
      stdio: 'pipe',
      timeout: INSTALL_TIMEOUT_MS,
      // Kept from the programs under test, whose start it doubles.
      env: { NODE_EXTRA_CA_CERTS: process.env.NPM_CA_CERTS, ...process.env },
    });
    findBinary(scratch);
    if (!existsSync(home)) renameSync(scratch, home);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The program itself is in the optional package of this platform. */
function findBinary(home: string): string {
  const scope = join(home, 'node_modules', '@anthropic-ai');
  for (const name of readdirSync(scope)) {
    const binary = join(scope, name, 'claude');
    if (name.startsWith('claude-code-') && existsSync(binary)) return binary;
  }
  throw new Error(`no client program under ${scope}`);
}
