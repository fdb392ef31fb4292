import { expect, test } from 'vitest';
import { RestoreCommand } from '../../../src/cli/commands/restore.ts';

test('the help of restore says that its tokens are what ben10 estimates', () => {
  expect(RestoreCommand.usage.details).toMatch(/an\s+estimate/);
});
