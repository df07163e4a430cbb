import { OPERATION_TIMEOUT_MS } from './connection-options.ts';
import { databaseAway, translateError } from './translate-error.ts';

type Operations = Record<string, (...parameters: never[]) => Promise<unknown>>;

/** The same operations, each answered within OPERATION_TIMEOUT_MS, and with the driver's errors translated. */
export function guarded<Store extends Operations>(store: Store): Store {
  const entries = Object.entries(store).map(([name, operation]) => [
    name,
    (...parameters: never[]) => bounded(() => operation(...parameters)),
  ]);
  return Object.fromEntries(entries) as Store;
}

/** The outcome of one operation; SERVICE_UNAVAILABLE when it takes too long (it may still happen) or the database is away. */
export async function bounded<Result>(operation: () => Promise<Result>): Promise<Result> {
  const expiry = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => expiry.reject(databaseAway(new Error(`No answer within ${OPERATION_TIMEOUT_MS} ms`))),
    OPERATION_TIMEOUT_MS,
  );
  try {
    return await Promise.race([operation(), expiry.promise]);
  } catch (error) {
    throw translateError(error);
  } finally {
    clearTimeout(timer);
  }
}
