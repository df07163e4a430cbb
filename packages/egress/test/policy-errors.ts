import { AppError } from '@gleaner/contracts';
import { createEgressPolicy } from '../src/policy/create-egress-policy.ts';

/** A policy that allows no private address. */
export const closed = createEgressPolicy({ allow: [] });

/** Returns the error of a URL, or undefined when it passes. */
export const urlError = (url: string, policy = closed) => errorOf(() => policy.checkUrl(url));

/** Returns the error of an address that a host has, or undefined when it passes. */
export const addressError = (address: string, policy = closed, host = 'site.example', port = 443) =>
  errorOf(() => policy.checkAddress(address, host, port));

function errorOf(check: () => unknown): AppError | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}
