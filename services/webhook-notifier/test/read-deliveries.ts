import { eventually, type startWebhookReceiver } from '@gleaner/test-kit';
import { expect } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { ACCOUNT, type TestBed } from './start-test-bed.ts';

type Received = Awaited<ReturnType<typeof startWebhookReceiver>>['deliveries'][number];

/** Returns the event after verifying its signature with the given secret, else the account's. */
export async function verified(
  bed: TestBed,
  { body, headers }: Received,
  secret?: string,
): Promise<Record<string, unknown>> {
  const known = secret ?? (await bed.stores.webhookSecrets.findSecret(ACCOUNT))?.secret ?? '';
  return new Webhook(known).verify(body.toString(), headers as Record<string, string>) as Record<
    string,
    unknown
  >;
}

/** Returns the deliveries of a job. */
export async function deliveriesOf(bed: TestBed, jobId: string) {
  return (await bed.stores.deliveries.listDeliveries(ACCOUNT, { jobId, limit: 100, offset: 0 })).deliveries;
}

/** Waits until the first delivery of a job has a status, and returns it. */
export async function untilStatus(bed: TestBed, jobId: string, status: string, timeoutMs = 240_000) {
  return await eventually(
    async () => {
      const [delivery] = await deliveriesOf(bed, jobId);
      expect(delivery).toMatchObject({ status });
      return delivery;
    },
    { timeoutMs },
  );
}
