import { constants } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { isDiskFull } from './disk-full.ts';

const failure = (code: unknown) => Object.assign(new Error('the write failed'), { code });

describe('isDiskFull', () => {
  it.each(['ENOSPC', 'EDQUOT', 'EFBIG', constants.errno.ENOSPC, constants.errno.EDQUOT])(
    'recognizes the code %s',
    (code) => {
      expect(isDiskFull(failure(code), '/', () => 1e12)).toBe(true);
    },
  );

  it('takes the EIO of a write that LMDB could not finish for a full disk only when there is no space', () => {
    expect(isDiskFull(failure(constants.errno.EIO), '/', () => 4096)).toBe(true);
    expect(isDiskFull(failure(constants.errno.EIO), '/', () => 1e12)).toBe(false);
  });

  it('lets other errors be, and a directory whose space cannot be read', () => {
    expect(isDiskFull(failure('EACCES'), '/', () => 0)).toBe(false);
    expect(isDiskFull('ENOSPC', '/', () => 0)).toBe(false);
    expect(isDiskFull(failure(constants.errno.EIO), '/no/such/directory')).toBe(false);
  });
});
