import { randomUUID } from 'node:crypto';
import { HEARTBEAT_VALID_MS, type Heartbeat } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { createStores, type Stores } from '../src/index.ts';
import { BACKENDS } from './backends.ts';
import { useBackend } from './use-backend.ts';

const NOW = new Date('2031-05-06T07:08:09.000Z');
const AT_END = new Date(NOW.getTime() + HEARTBEAT_VALID_MS);

function heartbeat(fields: Partial<Heartbeat> = {}): Heartbeat {
  return {
    id: randomUUID(),
    service: 'scraper',
    name: 'host-1',
    version: '1.2.3',
    facts: {},
    isLast: false,
    startedAt: '2031-05-06T07:00:00.000Z',
    ...fields,
  };
}

describe.each(BACKENDS)('instances on $name', ({ start }) => {
  let instances: Stores['instances'];
  useBackend(start, (connected) => {
    instances = createStores(connected).instances;
  });

  const find = async (id: string, now: Date) =>
    (await instances.listInstances(now)).find((one) => one.id === id);

  it('knows a process from its heartbeat until a minute after the last', async () => {
    const facts = { browsers: [{ kind: 'plain' as const, version: '1.2', tabs: 1, memoryBytes: 5 }] };
    const { id, isLast: _, ...fields } = heartbeat({ facts });
    await instances.noteHeartbeat({ ...fields, id, isLast: false }, NOW);
    expect(await find(id, NOW)).toEqual({
      ...fields,
      id,
      startedAt: new Date(fields.startedAt),
      seenAt: NOW,
    });
    expect(await find(id, new Date(AT_END.getTime() - 1))).toBeDefined();
    expect(await find(id, AT_END)).toBeUndefined();
    await instances.noteHeartbeat({ ...fields, id, facts: {}, isLast: false }, AT_END);
    expect(await find(id, AT_END)).toMatchObject({ seenAt: AT_END, facts: {} });
  });

  it('forgets a process that says that it stops, however often it says so', async () => {
    const last = heartbeat({ isLast: true });
    await instances.noteHeartbeat({ ...last, isLast: false }, NOW);
    await instances.noteHeartbeat(last, NOW);
    await instances.noteHeartbeat(last, NOW);
    expect(await find(last.id, NOW)).toBeUndefined();
  });

  it('lists processes by service and name', async () => {
    const now = new Date(AT_END.getTime() * 2);
    for (const [service, name] of [
      ['scraper', 'b'],
      ['gateway', 'z'],
      ['scraper', 'a'],
    ] as const)
      await instances.noteHeartbeat(heartbeat({ service, name }), now);
    const listed = await instances.listInstances(now);
    expect(listed.map(({ service, name }) => `${service} ${name}`)).toEqual([
      'gateway z',
      'scraper a',
      'scraper b',
    ]);
  });
});
