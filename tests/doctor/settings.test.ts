import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { redactionCheck } from '../../src/capture/check-redaction.ts';
import { checkSettings } from '../../src/doctor/settings.ts';
import { compileSettings } from '../../src/platform/compile-settings.ts';
import type { Project } from '../../src/project/open.ts';
import { emptyProject } from '../cli/support.ts';

const findings = (yaml: string, env: Record<string, string> = {}) => {
  const dir = emptyProject();
  const file = path.join(dir, '.ben10/config.yaml');
  writeFileSync(file, yaml);
  chmodSync(file, 0o600);
  const home = path.join(dir, 'no-home');
  try {
    compileSettings({ projectDir: dir, env: {}, home });
  } catch {
    // A mistake is for the check to find.
  }
  const about = { project: { dir } as Project, env, home, program: '' };
  return [...checkSettings(dir, env, home), ...redactionCheck.run(about)].filter(
    ({ verdict }) => verdict !== 'ok',
  );
};

describe('what doctor says of the settings', () => {
  it('is nothing where they are sound', () => {
    expect(findings('mcp: {profile: all}')).toEqual([]);
  });

  it('is that nothing is recorded, or that secrets are', () => {
    expect(findings('context: {autoSave: false}')).toMatchObject([
      { verdict: 'warn', what: expect.stringContaining('nothing is recorded') },
    ]);
    expect(findings('context: {sensitiveRedaction: false}')).toMatchObject([
      { verdict: 'warn', what: expect.stringContaining('secrets are recorded as they are') },
    ]);
    const variable = { BEN10_CONTEXT_SENSITIVE_REDACTION: 'false' };
    expect(findings('', variable)).toHaveLength(1);
  });

  it('is what is wrong, and where', () => {
    const [first, ...others] = findings(
      'context:\n  storageLocation: /etc\n  excludePatterns: x\n',
    );
    expect(first).toMatchObject({ verdict: 'fail' });
    expect(first?.what).toMatch(/config\.yaml:2:20: .*a folder inside the project/);
    expect(others).toHaveLength(1);
  });
});
