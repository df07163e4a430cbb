import { AppError } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { whileUnavailable } from './consume-work.ts';

const never = new AbortController().signal;

describe('whileUnavailable', () => {
  it('repeats the work until its dependency is available again', async () => {
    let attempts = 0;
    const work = async () => {
      attempts += 1;
      if (attempts < 2) throw new AppError('SERVICE_UNAVAILABLE');
      return attempts;
    };
    expect(await whileUnavailable(work, never)).toBe(2);
  });

  it('fails at once with any other error', async () => {
    const work = () => Promise.reject(new AppError('INVALID_URL'));
    await expect(whileUnavailable(work, never)).rejects.toMatchObject({ code: 'INVALID_URL' });
  });

  it('fails with SERVICE_UNAVAILABLE when the signal aborts', async () => {
    const abort = new AbortController();
    const work = async () => {
      abort.abort();
      throw new AppError('SERVICE_UNAVAILABLE');
    };
    await expect(whileUnavailable(work, abort.signal)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});
