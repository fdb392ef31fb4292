import { describe, expect, it } from 'vitest';
import { ERROR_GUIDE } from '../../../src/platform/error-guide.ts';
import { ben10, emptyProject, inMemory, json } from '../support.ts';

describe('ben10 explain', () => {
  it('says what each code means, and what to do next', async () => {
    const dir = emptyProject();
    for (const [code, { means, next }] of Object.entries(ERROR_GUIDE)) {
      const { stdout } = await inMemory(dir, ['explain', code.toLowerCase()]);
      expect(stdout.startsWith(code)).toBe(true);
      expect(stdout.replace(/\s+/g, ' ')).toContain(means);
      expect(next.length).toBeGreaterThan(0);
      expect(json(await inMemory(dir, ['explain', code, '--json']))).toEqual({ code, means, next });
    }
  });

  it('lists all of them, also where there is no journal', () => {
    const { stdout, status } = ben10('/', ['explain']);
    expect(status).toBe(0);
    for (const code of Object.keys(ERROR_GUIDE)) expect(stdout).toContain(code);
  });

  it('names the nearest of a code that is none', async () => {
    const said = await inMemory(emptyProject(), ['explain', 'CONTEXT_LOKED']);
    expect(said.code).toBe(2);
    expect(said.stderr).toContain('Did you mean CONTEXT_LOCKED?');
    const far = await inMemory(emptyProject(), ['explain', 'NOPE']);
    expect(far.stderr).toMatch(/\[USAGE\]\n {2}→ All codes: ben10 explain\n$/);
  });
});
