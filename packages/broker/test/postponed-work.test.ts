import { eventually, untilReady } from '@gleaner/test-kit';
import { expect, it } from '@jest/globals';
import { describeOverBrokers } from './describe-over-brokers.ts';
import { errorOf } from './fixture.ts';

await describeOverBrokers('postponed work', (newFixture) => {
  it('is delivered after its delay, before work that waits longer and was postponed earlier', async () => {
    const fixture = newFixture();
    const calls = fixture.postponable('calls', [50, 15_000]);
    const broker = await fixture.transport();
    const seen: string[] = [];
    broker.consumeWork(calls, async ({ body }) => void seen.push(body.text), { concurrency: 1 });
    await untilReady(broker);
    const startedAt = performance.now();
    await broker.postponeWork(calls, { text: 'late' }, 15_000);
    await broker.postponeWork(calls, { text: 'soon' }, 60);
    await eventually(() => expect(seen).toHaveLength(2));
    expect(seen).toEqual(['soon', 'late']);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(15_000);
  });

  it('waits on the broker and is delivered to the consumer of that time', async () => {
    const fixture = newFixture();
    const calls = fixture.postponable('calls', [100]);
    const first = await fixture.transport();
    const subscription = first.consumeWork(calls, async () => {}, { concurrency: 1 });
    await untilReady(first);
    await subscription.stop(0);
    await first.postponeWork(calls, { text: 'inherited' }, 100);
    await first.close(0);
    const seen: string[] = [];
    const successor = await fixture.transport();
    successor.consumeWork(calls, async ({ body }) => void seen.push(body.text), { concurrency: 1 });
    await eventually(() => expect(seen).toHaveLength(1));
    expect(seen).toEqual(['inherited']);
  });

  it('is rejected when its queue was never consumed', async () => {
    const fixture = newFixture();
    const broker = await fixture.transport();
    expect(
      await errorOf(broker.postponeWork(fixture.postponable('calls', [100]), { text: '' }, 1)),
    ).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
  });
});
