import { AppError } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { whileUnavailable } from './while-unavailable.ts';

const never = new AbortController().signal;

describe('work that needs what is away', () => {
  it('is done once it is back', async () => {
    let tries = 0;
    const work = async () => {
      tries += 1;
      if (tries < 2) throw new AppError('SERVICE_UNAVAILABLE');
      return tries;
    };
    expect(await whileUnavailable(work, never)).toBe(2);
  });

  it('fails at once with whatever will not pass', async () => {
    const work = () => Promise.reject(new AppError('INVALID_URL'));
    await expect(whileUnavailable(work, never)).rejects.toMatchObject({ code: 'INVALID_URL' });
  });

  it('goes back to the broker when the signal aborts', async () => {
    const abort = new AbortController();
    const work = async () => {
      abort.abort();
      throw new AppError('SERVICE_UNAVAILABLE');
    };
    await expect(whileUnavailable(work, abort.signal)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});
