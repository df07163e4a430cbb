import { OPERATION_TIMEOUT_MS } from './connection-options.ts';
import { databaseUnavailable, translateError } from './translate-error.ts';

type Operations = Record<string, (...parameters: never[]) => Promise<unknown>>;

/** Returns the same operations, each limited to OPERATION_TIMEOUT_MS and with the driver's errors translated. */
export function guarded<Store extends Operations>(store: Store): Store {
  const entries = Object.entries(store).map(([name, operation]) => [
    name,
    (...parameters: never[]) => bounded(() => operation(...parameters)),
  ]);
  return Object.fromEntries(entries) as Store;
}

/**
 * Runs one operation; throws SERVICE_UNAVAILABLE if the database is unavailable or the operation takes too long, in which
 * case it may still happen.
 */
export async function bounded<Result>(operation: () => Promise<Result>): Promise<Result> {
  const expiry = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => expiry.reject(databaseUnavailable(new Error(`No answer within ${OPERATION_TIMEOUT_MS} ms`))),
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
