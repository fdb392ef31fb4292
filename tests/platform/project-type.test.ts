import { describe, expect, it } from 'vitest';
import { detectProjectType } from '../../src/platform/project-type.ts';
import { scratch } from '../support.ts';
import { put } from '../workspace/support.ts';

const detected = (...files: string[]) => {
  const dir = scratch();
  put(dir, Object.fromEntries(files.map((file) => [file, ''])));
  return detectProjectType(dir);
};

describe('the type of a project', () => {
  it.each([
    ['aosp', 'build/envsetup.sh'],
    ['yocto', 'poky/oe-init-build-env'],
    ['ros', 'src/robot/package.xml'],
    ['android', 'app/src/main/AndroidManifest.xml'],
    ['rust', 'Cargo.toml'],
    ['go', 'go.mod'],
    ['node', 'package.json'],
    ['python', 'pyproject.toml'],
    ['java', 'build.gradle.kts'],
    ['dotnet', 'App.sln'],
    ['make', 'Makefile'],
  ])('is %s by %s', (type, because) => {
    expect(detected(because)).toEqual({ type, because });
  });

  it('is the more special one of several', () => {
    expect(detected('Makefile', 'package.json', 'build/envsetup.sh')?.type).toBe('aosp');
    expect(detected('Makefile', 'package.json')?.type).toBe('node');
  });

  it('is not told by nothing', () => {
    expect(detected('README.md')).toBeUndefined();
  });
});
