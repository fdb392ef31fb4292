import { expect, test } from 'vitest';
import { issueIn } from '../../src/monitor/issue.ts';
import { configKey } from '../../src/platform/config/keys.ts';

test('an issue is named by its key and number, and no standard is one', () => {
  const named = (...texts: string[]) =>
    issueIn(String(configKey('monitor.issuePattern')?.default), texts);
  expect(named('main', 'fix/ANV-123-login')).toBe('ANV-123');
  expect(named('Read UTF-8 and SHA-256 as RFC-2119 says, for ABC-7')).toBe('ABC-7');
  for (const text of ['fix/UTF-8-names', 'CVE-2024-1234', 'ISO-8601 dates', 'GPT-4', 'claude-3'])
    expect(named(text)).toBeNull();
});
