import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { cleaner } from '../../../src/workspace/clean.ts';
import { buildScripts } from '../../../src/workspace/collectors/build-scripts.ts';
import { scratch } from '../../support.ts';
import { around, put } from '../support.ts';

function collect(dir: string, scripts: { configDir?: string; configPattern?: string } = {}) {
  const given = around(dir);
  Object.assign(given.settings.scripts, { configDir: 'config', ...scripts });
  return buildScripts.collect(given);
}

const EMU = `# the emulator
TARGET_NAME="emu"
export TARGET_DESCRIPTION='Android Emulator'
CONTAINER_NAME=build-env # where it is built
  LUNCH_TARGET="sdk_car_dev-userdebug"
CAN_EMULATOR=true
CAN_FLASH=false
OTHER="not read"
`;

describe('build targets', () => {
  it('are the six variables of each file that the pattern matches', () => {
    const dir = scratch();
    put(dir, {
      'config/emu.conf': EMU,
      'config/board.conf': 'CAN_FLASH=yes',
      'config/notes.txt': EMU,
    });
    expect(collect(dir)).toEqual([
      { name: 'board', description: '', container: '', lunch: '', emulator: false, flash: true },
      {
        name: 'emu',
        description: 'Android Emulator',
        container: 'build-env',
        lunch: 'sdk_car_dev-userdebug',
        emulator: true,
        flash: false,
      },
    ]);
    expect(collect(dir, { configPattern: 'emu.*' })).toMatchObject([{ name: 'emu' }]);
  });

  it('are all of them, also where there are more than are told', () => {
    const dir = scratch();
    const files = Array.from({ length: 63 }, (_, n) => [`config/t${n}.conf`, `TARGET_NAME=t${n}`]);
    put(dir, Object.fromEntries(files));
    expect(collect(dir)).toHaveLength(63);
  });

  it('are none where nobody said a folder, and where it is not there', () => {
    const dir = scratch();
    expect(collect(dir, { configDir: '' })).toEqual([]);
    expect(collect(dir, { configDir: 'nowhere' })).toEqual([]);
    expect(collect(dir, { configPattern: '[' })).toEqual([]);
  });

  it('are read inside the project alone, whatever a link or a setting says', () => {
    const [dir, elsewhere] = [scratch(), scratch()];
    put(elsewhere, { 'config/x.conf': EMU });
    put(dir, { 'inside/y.txt': '' });
    symlinkSync(path.join(elsewhere, 'config/x.conf'), path.join(dir, 'inside/x.conf'));
    symlinkSync(path.join(elsewhere, 'config'), path.join(dir, 'linked'));
    expect(collect(dir, { configDir: 'inside' })).toEqual([]);
    expect(collect(dir, { configDir: 'linked' })).toEqual([]);
    expect(collect(dir, { configDir: path.join(elsewhere, 'config') })).toEqual([]);
    expect(collect(dir, { configDir: '../' })).toEqual([]);
  });

  it('run nothing, and lose escapes and secrets', () => {
    const dir = scratch();
    put(dir, {
      'config/x.conf':
        'TARGET_NAME="$(touch ran)`touch ran`"\nTARGET_DESCRIPTION="a\u001b[31mb hunter2"\n',
    });
    const given = around(dir, {
      clean: cleaner((text) => text.replaceAll('hunter2', '[REDACTED:X]')),
    });
    given.settings.scripts.configDir = 'config';
    expect(buildScripts.collect(given)).toMatchObject([
      { name: '$(touch ran)`touch ran`', description: 'ab [REDACTED:X]' },
    ]);
  });
});
