import { AppError } from '@gleaner/contracts';
import { AccountPlaces } from '@gleaner/service-kit';
import { describe, expect, it } from '@jest/globals';
import type { Caller } from '../../authentication.ts';
import { inPlace } from './job-streams.ts';

const call = { caller: { account: { id: 'acc_1' } } as Caller, signal: new AbortController().signal };

describe('inPlace', () => {
  it('throws the error of a stream before its first part, and gives the place back', async () => {
    const places = new AccountPlaces({ perAccount: 1 });
    // biome-ignore lint/correctness/useYield: it fails before its first part.
    const failing = async function* () {
      throw new AppError('SERVICE_UNAVAILABLE');
    };
    const opened = inPlace(call, { places, patienceMs: 60_000 }, failing);
    await expect(opened).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(places.held).toBe(0);
  });

  it('streams all parts, and holds the place until the last', async () => {
    const places = new AccountPlaces({ perAccount: 1 });
    const stream = await inPlace(call, { places, patienceMs: 60_000 }, async function* () {
      yield* ['a', 'b', 'c'];
    });
    const parts: [unknown, number][] = [];
    for await (const part of stream) parts.push([part, places.held]);
    expect(parts).toEqual(['a', 'b', 'c'].map((part) => [part, 1]));
    expect(places.held).toBe(0);
  });
});
