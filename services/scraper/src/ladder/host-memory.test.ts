import type { ScrapeCommand, ScrapeRequest } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { HostMemory } from './host-memory.ts';

function command(request: Partial<ScrapeRequest> = {}, accountId = 'acc_1'): ScrapeCommand {
  const whole = { url: 'https://shop.example/a', antiBot: true, ...request };
  return { requestId: 'req_1', accountId, deadlineMs: 0, timeoutMs: 1, request: whole };
}

const clearance = { rung: 'browser', cookies: [{ name: 'clearance', value: '1' }] } as const;

describe('HostMemory', () => {
  it('recalls the record of a host for every page', () => {
    const memory = new HostMemory({ rememberMs: 600_000, maxHosts: 10 });
    memory.learn(command(), clearance);
    expect(memory.recall(command({ url: 'https://shop.example/b?c' }))).toMatchObject(clearance);
    memory.forget(command());
    expect(memory.recall(command())).toBeUndefined();
  });

  it.each([
    ['another host', command({ url: 'https://other.example/a' })],
    ['another port', command({ url: 'https://shop.example:8443/a' })],
    ['another country', command({ proxy: 'de' })],
    ['another account', command({}, 'acc_2')],
    ['a request that must be rendered', command({ render: true })],
  ])('has no record for %s', (_what, other) => {
    const memory = new HostMemory({ rememberMs: 600_000, maxHosts: 10 });
    memory.learn(command(), clearance);
    expect(memory.recall(other)).toBeUndefined();
  });

  it('forgets a fixed time after it has learned, even if the record is used', () => {
    let nowMs = 0;
    const memory = new HostMemory({ rememberMs: 1000, maxHosts: 10 }, () => nowMs);
    memory.learn(command(), clearance);
    nowMs = 900;
    memory.learn(command(), { ...clearance, cookies: [] });
    expect(memory.recall(command())).toMatchObject({ rung: 'browser', cookies: [] });
    nowMs = 1000;
    expect(memory.recall(command())).toBeUndefined();
  });

  it('holds a limited number of hosts, and drops the least recently used', () => {
    const memory = new HostMemory({ rememberMs: 600_000, maxHosts: 10 });
    const used = command({ url: 'https://used.example/' });
    const others = Array.from({ length: 20 }, (_, index) =>
      command({ url: `https://host-${index}.example/` }),
    );
    memory.learn(used, clearance);
    for (const other of others) {
      memory.learn(other, clearance);
      memory.recall(used);
    }
    const isKnown = (each: ScrapeCommand | undefined) =>
      each !== undefined && memory.recall(each) !== undefined;
    expect([used, others.at(-1), others[0]].map(isKnown)).toEqual([true, true, false]);
  });
});
