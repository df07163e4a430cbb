import { createId } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { createStores, type Database, type Stores, validRetired } from '../src/index.ts';
import { BACKENDS } from './backends.ts';
import { useBackend } from './use-backend.ts';

// Far in the future, so that stored documents do not expire by the server's clock.
const NOW = new Date('2099-01-31T12:00:00.000Z');
const later = (ms: number) => new Date(NOW.getTime() + ms);

describe.each(BACKENDS)('webhooks on $name', ({ start }) => {
  let database: Database;
  let stores: Stores;

  const { connect } = useBackend(start, (connected) => {
    database = connected;
    stores = createStores(connected);
  });

  function newDelivery(differences: object = {}) {
    return {
      id: createId('del'),
      accountId: 'acc_1',
      eventId: createId('evt'),
      type: 'job.completed' as const,
      jobId: 'job_1',
      url: 'https://example.com/hook',
      body: '{"é":"\\ud800"}',
      createdAt: NOW,
      expiresAt: later(3_600_000_000),
      ...differences,
    };
  }

  const claimOf = (id: string, attempt = 1, now = NOW) => ({
    id,
    attempt,
    now,
    leasedUntil: new Date(now.getTime() + 1000),
  });

  it('stores one delivery of an event that arrives several times at once', async () => {
    const other = createStores(await connect()).deliveries;
    const eventId = createId('evt');
    const made = await Promise.all(
      Array.from({ length: 10 }, (_, turn) =>
        (turn % 2 ? stores.deliveries : other).insertDelivery(newDelivery({ eventId })),
      ),
    );
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(await database.models.deliveries.countDocuments({ eventId })).toBe(1);
  });

  it('stores a delivery per endpoint, even if long URLs differ only at the end', async () => {
    const eventId = createId('evt');
    const url = `https://example.com/${'x'.repeat(8000)}`;
    const [one, two] = await Promise.all([
      stores.deliveries.insertDelivery(newDelivery({ eventId, url })),
      stores.deliveries.insertDelivery(newDelivery({ eventId, url: `${url}y` })),
    ]);
    expect(one.id).not.toBe(two.id);
  });

  it('gives an attempt to one of several concurrent claims, with the exact body', async () => {
    const { id, body } = newDelivery();
    await stores.deliveries.insertDelivery(newDelivery({ id }));
    const claims = await Promise.all(Array.from({ length: 8 }, () => stores.deliveries.claim(claimOf(id))));
    const won = claims.filter((claim) => claim !== null);
    expect(won).toHaveLength(1);
    expect(won[0]?.body).toBe(body);
  });

  it('rejects a claim of an attempt that is early, already made, or leased', async () => {
    const { id } = await stores.deliveries.insertDelivery(newDelivery());
    expect(await stores.deliveries.claim(claimOf(id, 1, later(-1)))).toBeNull();
    expect(await stores.deliveries.claim(claimOf(id, 2))).toBeNull();
    expect(await stores.deliveries.claim(claimOf(id))).not.toBeNull();
    expect(await stores.deliveries.claim(claimOf(id, 1, later(999)))).toBeNull();
    expect(await stores.deliveries.claim(claimOf(id, 1, later(1000)))).toMatchObject({ claim: 2 });
  });

  it('records an attempt only for the latest claim', async () => {
    const { id } = await stores.deliveries.insertDelivery(newDelivery());
    const late = await stores.deliveries.claim(claimOf(id));
    const heir = await stores.deliveries.claim(claimOf(id, 1, later(5000)));
    if (!late || !heir) throw new Error('It could not be claimed.');
    const attempt = { at: later(5000), durationMs: 20, statusCode: 200 };
    expect(await stores.deliveries.recordAttempt(late, attempt, { status: 'failed' })).toBe(false);
    expect(await stores.deliveries.recordAttempt(heir, attempt, { status: 'delivered' })).toBe(true);
    expect(await stores.deliveries.recordAttempt(heir, attempt, { status: 'failed' })).toBe(false);
    const stored = await stores.deliveries.readDelivery(id);
    expect(stored).toMatchObject({ status: 'delivered', attemptCount: 1, endedAt: later(5020) });
    expect(stored?.attempts).toEqual([attempt]);
    expect(stored?.nextAttemptAt).toBeUndefined();
    expect(JSON.stringify(stored)).not.toContain('"body"');
  });

  it('gives each overdue delivery to one reconciler, and finished ones to none', async () => {
    const accountId = createId('acc');
    const due = await Promise.all(
      [1, 2, 3].map(() =>
        stores.deliveries.insertDelivery(newDelivery({ accountId, createdAt: later(-1e9) })),
      ),
    );
    const [, , ended] = due;
    if (!ended) throw new Error('There are three.');
    await stores.deliveries.giveUp({ id: ended.id, attempt: 1, now: NOW }, 'Enough.');
    const taken = await Promise.all(
      Array.from({ length: 6 }, () => stores.deliveries.claimOverdue(later(-1e8), NOW)),
    );
    const ids = taken.flatMap((delivery) => (delivery ? [delivery.id] : []));
    expect(ids.toSorted()).toEqual(
      due
        .slice(0, 2)
        .map(({ id }) => id)
        .toSorted(),
    );
  });

  it('restarts a delivery at once, unless it is being sent', async () => {
    const accountId = createId('acc');
    const { id } = await stores.deliveries.insertDelivery(newDelivery({ accountId }));
    const held = await stores.deliveries.claim(claimOf(id));
    expect(await stores.deliveries.restart(accountId, id, later(10))).toMatchObject({
      claim: 1,
      attemptCount: 0,
    });
    if (!held) throw new Error('It could not be claimed.');
    await stores.deliveries.recordAttempt(held, { at: NOW, durationMs: 1, error: 'No.' }, { status: 'gone' });
    const restarted = await stores.deliveries.restart(accountId, id, later(10));
    expect(restarted).toMatchObject({ status: 'pending', roundStart: 1, nextAttemptAt: later(10) });
    expect(restarted?.endedAt).toBeUndefined();
    expect(await stores.deliveries.restart(createId('acc'), id, NOW)).toBeNull();
    expect(await stores.deliveries.restart(accountId, { $ne: null } as never, NOW)).toBeNull();
  });

  it("lists an account's own deliveries, newest first, all or those of one job", async () => {
    const accountId = createId('acc');
    for (const jobId of ['job_a', 'job_b', 'job_a'])
      await stores.deliveries.insertDelivery(newDelivery({ accountId, jobId }));
    const all = await stores.deliveries.listDeliveries(accountId, { limit: 2, offset: 0 });
    expect([all.total, all.deliveries.map(({ jobId }) => jobId)]).toEqual([3, ['job_a', 'job_b']]);
    const ofJob = await stores.deliveries.listDeliveries(accountId, { jobId: 'job_a', limit: 9, offset: 1 });
    expect([ofJob.total, ofJob.deliveries.length]).toEqual([2, 1]);
  });

  it('creates one secret for concurrent requests, and keeps the latest replaced ones until they expire', async () => {
    const accountId = createId('acc');
    const made = await Promise.all(
      [1, 2, 3, 4].map((turn) => stores.webhookSecrets.ensureSecret(accountId, `whsec_${turn}`, NOW)),
    );
    const [first] = made;
    if (!first) throw new Error('There are four.');
    expect(new Set(made.map(({ secret }) => secret)).size).toBe(1);
    for (const turn of [5, 6, 7, 8, 9])
      await stores.webhookSecrets.rotateSecret(accountId, {
        secret: `whsec_$${turn}`,
        now: later(turn),
        retiredUntil: later(turn * 1000),
      });
    const stored = await stores.webhookSecrets.findSecret(accountId);
    if (!stored) throw new Error('There is one.');
    expect(stored).toMatchObject({ secret: 'whsec_$9', createdAt: later(9) });
    expect(stored.retired.map(({ secret }) => secret)).toEqual(['whsec_$8', 'whsec_$7', 'whsec_$6']);
    expect(validRetired(stored, later(8000)).map(({ secret }) => secret)).toEqual(['whsec_$8']);
  });

  it('stores the first secret of an account when it is rotated', async () => {
    const accountId = createId('acc');
    await stores.webhookSecrets.rotateSecret(accountId, {
      secret: 'whsec_x',
      now: NOW,
      retiredUntil: later(1),
    });
    expect(await stores.webhookSecrets.findSecret(accountId)).toEqual({
      secret: 'whsec_x',
      createdAt: NOW,
      retired: [],
    });
  });
});
