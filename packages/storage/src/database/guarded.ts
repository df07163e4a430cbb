import { afterSilence } from '@gleaner/contracts';
import { OPERATION_TIMEOUT_MS } from './connection-options.ts';
import { databaseUnavailable, translateError } from './translate-error.ts';

type Operation = (...parameters: never[]) => Promise<unknown>;

/** Methods of a store as the functions of a plain object. */
export type Methods<Store> = { readonly [Name in keyof Store]: Store[Name] };

/** Returns the methods of a store, each limited to OPERATION_TIMEOUT_MS and with the driver's errors translated. */
export function guarded<Store extends { readonly [Name in keyof Store]: Operation }>(
  store: Store,
): Methods<Store> {
  const entries = Object.entries<Operation>(methodsOf(store)).map(([name, operation]) => [
    name,
    (...parameters: never[]) => bounded(() => operation(...parameters)),
  ]);
  return Object.fromEntries(entries);
}

/** Returns the methods of a store, which limits its operations itself, one by one. */
export function methodsOf<Store extends object>(store: Store): Methods<Store> {
  const { constructor: _, ...methods } = Object.getOwnPropertyDescriptors(Object.getPrototypeOf(store));
  const entries = Object.entries(methods).map(([name, { value }]) => [name, value.bind(store)]);
  return Object.fromEntries(entries);
}

/**
 * Runs one operation; throws SERVICE_UNAVAILABLE if the database is unavailable or the operation takes too long, in which
 * case it may still happen.
 */
export async function bounded<Result>(operation: () => Promise<Result>): Promise<Result> {
  const expiry = Promise.withResolvers<never>();
  const stopWaiting = afterSilence(OPERATION_TIMEOUT_MS, () =>
    expiry.reject(databaseUnavailable(new Error(`No answer within ${OPERATION_TIMEOUT_MS} ms`))),
  );
  try {
    return await Promise.race([operation(), expiry.promise]);
  } catch (error) {
    throw translateError(error);
  } finally {
    stopWaiting();
  }
}
