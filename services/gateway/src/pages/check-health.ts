import type { Broker } from '@gleaner/broker';
import { AppError } from '@gleaner/contracts';
import type { Database } from '@gleaner/storage';

/** What every call needs. */
export interface HealthDeps {
  readonly broker: Pick<Broker, 'isReady'>;
  readonly database: Pick<Database, 'ping'>;
}

/** Throws SERVICE_UNAVAILABLE unless broker and database can be worked with now. */
export async function checkHealth({ broker, database }: HealthDeps): Promise<void> {
  if (!broker.isReady) {
    throw new AppError('SERVICE_UNAVAILABLE', { message: 'There is no connection to the broker.' });
  }
  await database.ping();
}
