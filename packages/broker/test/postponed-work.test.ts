import { expect, it } from '@jest/globals';
import { describeOverBrokers } from './describe-over-brokers.ts';
import { eventually, faultOf } from './fixture.ts';

await describeOverBrokers('work that is put off', (world) => {
  it('comes back after its delay, past what waits longer and was put off before', async () => {
    const fixture = world();
    const calls = fixture.postponable('calls', [50, 400]);
    const broker = await fixture.transport();
    const seen: string[] = [];
    broker.consumeWork(calls, async ({ body }) => void seen.push(body.text), { concurrency: 1 });
    await broker.whenReady(30_000);
    const startedAt = performance.now();
    await broker.postponeWork(calls, { text: 'late' }, 500);
    await broker.postponeWork(calls, { text: 'soon' }, 60);
    await eventually(() => seen.length === 2, 'both are back');
    expect(seen).toEqual(['soon', 'late']);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(400);
  });

  it('waits with the broker: it comes to whoever consumes when its time is over', async () => {
    const fixture = world();
    const calls = fixture.postponable('calls', [100]);
    const first = await fixture.transport();
    first.consumeWork(calls, async () => {}, { concurrency: 1 });
    await first.whenReady(30_000);
    await first.postponeWork(calls, { text: 'inherited' }, 100);
    await first.close(0);
    const seen: string[] = [];
    const heir = await fixture.transport();
    heir.consumeWork(calls, async ({ body }) => void seen.push(body.text), { concurrency: 1 });
    await eventually(() => seen.length === 1, 'the heir has it');
    expect(seen).toEqual(['inherited']);
  });

  it('is refused when nobody has consumed its queue yet', async () => {
    const fixture = world();
    const broker = await fixture.transport();
    expect(
      await faultOf(broker.postponeWork(fixture.postponable('calls', [100]), { text: '' }, 1)),
    ).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
  });
});
