import { describe, expect, it } from 'vitest';
import {
  checkCertificates,
  checkDisk,
  checkLock,
  checkNode,
  FREE_BYTES_FAIL,
  FREE_BYTES_WARN,
  fileSystem,
  freeSpace,
} from '../../src/doctor/machine.ts';
import { scratch } from '../support.ts';

describe('the doctor looks at the machine', () => {
  it('takes Node from 20.19 on, and names what is too old', () => {
    for (const version of ['20.19.0', '20.20.2', '22.0.0', '24.1.0']) {
      expect(checkNode(version)).toEqual({ check: 'node', verdict: 'ok', what: `Node ${version}` });
    }
    for (const version of ['18.20.0', '20.18.9']) {
      expect(checkNode(version)).toMatchObject({
        verdict: 'fail',
        what: `Node ${version} is too old`,
        mend: expect.stringContaining('20.19'),
      });
    }
  });

  it('points at certificates that every hook has to read', () => {
    expect(checkCertificates({}).verdict).toBe('ok');
    expect(checkCertificates({ NODE_EXTRA_CA_CERTS: '' }).verdict).toBe('ok');
    expect(checkCertificates({ NODE_EXTRA_CA_CERTS: '/etc/ca.pem' })).toMatchObject({
      verdict: 'warn',
      what: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
      mend: expect.stringContaining('Unset it'),
    });
  });

  it('says what it means when there is no lock for this system', () => {
    expect(checkLock(true).verdict).toBe('ok');
    expect(checkLock(false)).toMatchObject({
      verdict: 'warn',
      what: expect.stringContaining('inbox'),
    });
  });

  it('says what to do where something else stands in the place of a lock file', () => {
    expect(checkLock(true, ['/p/.ben10/journal/lock'])).toMatchObject({
      verdict: 'fail',
      what: expect.stringContaining('/p/.ben10/journal/lock is not a file'),
      mend: expect.stringMatching(/^Move it away/),
    });
  });

  it('tells a disk that is nearly full from one that is full, at their limits', () => {
    expect(freeSpace(FREE_BYTES_WARN).verdict).toBe('ok');
    for (const bytes of [FREE_BYTES_WARN - 1, FREE_BYTES_FAIL])
      expect(freeSpace(bytes)).toMatchObject({
        verdict: 'warn',
        mend: expect.stringContaining('for instance with ben10 compact'),
      });
    expect(freeSpace(FREE_BYTES_FAIL - 1)).toMatchObject({
      verdict: 'fail',
      what: 'the disk is full: 20 MB free',
      mend: expect.stringMatching(
        /^Free some space elsewhere first: ben10 compact itself needs some/,
      ),
    });
  });

  it.runIf(process.platform === 'linux')('knows network file systems by their numbers', () => {
    expect(fileSystem(0xef53).verdict).toBe('ok');
    expect(fileSystem(0x6969)).toMatchObject({
      verdict: 'warn',
      what: expect.stringContaining('NFS'),
    });
    expect(fileSystem(0xfe534d42)).toMatchObject({
      verdict: 'warn',
      what: expect.stringContaining('SMB'),
    });
  });

  it('looks at the disk that a folder is on', () => {
    expect(checkDisk(scratch()).map(({ check }) => check)).toEqual(['file system', 'disk']);
  });
});
