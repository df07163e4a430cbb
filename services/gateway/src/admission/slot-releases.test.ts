import { mock } from 'node:test';
import { createLogger } from '@gleaner/service-kit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SlotReleases } from './slots.ts';

const lines: string[] = [];
const stream = { write: (line: string) => void lines.push(line) };
const logger = createLogger({ service: 'gateway', level: 'warn', format: 'json', stream });

function setUp({ hasPlaces = true } = {}) {
  const freed: string[] = [];
  let fault: Error | undefined;
  const releases = new SlotReleases({
    headroom: { hasPlaces: () => hasPlaces },
    rateLimits: {
      freeSlots: async ({ keyId, operationIds }) => {
        if (fault) throw fault;
        freed.push(`${keyId}: ${operationIds.join(' ')}`);
      },
    },
    logger,
  });
  const fail = (error: Error | undefined) => {
    fault = error;
  };
  return { freed, releases, fail };
}

beforeEach(() => {
  lines.length = 0;
  mock.timers.enable({ apis: ['setTimeout'] });
});
afterEach(() => {
  mock.timers.reset();
});

describe('SlotReleases', () => {
  it('frees the slots of a key together', () => {
    const { freed, releases } = setUp();
    releases.add('one', 'a');
    releases.add('two', 'b');
    releases.add('one', 'c');
    expect(freed).toEqual([]);
    mock.timers.runAll();
    expect(freed).toEqual(['one: a c', 'two: b']);
    releases.add('one', 'd');
    mock.timers.runAll();
    expect(freed).toEqual(['one: a c', 'two: b', 'one: d']);
  });

  it('frees at once where places are short', () => {
    const { freed, releases } = setUp({ hasPlaces: false });
    releases.add('one', 'a');
    releases.add('one', 'b');
    mock.timers.runAll();
    expect(freed).toEqual(['one: a', 'one: b']);
  });

  it('frees the rest when it is finished', async () => {
    const { freed, releases } = setUp();
    releases.add('one', 'a');
    await releases.finish();
    mock.timers.runAll();
    expect(freed).toEqual(['one: a']);
  });

  it('frees the slots of a key before it is refused', async () => {
    const { freed, releases } = setUp();
    releases.add('one', 'a');
    releases.add('two', 'b');
    expect([await releases.settle('one'), await releases.settle('one')]).toEqual([true, false]);
    expect(freed).toEqual(['one: a']);
  });

  it('says which slots were not freed, and frees them with the next ones', async () => {
    const { freed, releases, fail } = setUp();
    fail(new Error('away'));
    releases.add('one', 'a');
    await releases.settle('one');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ callIds: ['a'], level: 'warn' }]);
    fail(undefined);
    releases.add('one', 'b');
    await releases.settle('one');
    expect(freed).toEqual(['one: a b']);
  });
});
