import { AppError } from '@gleaner/contracts';
import type { AccountPlaces } from '@gleaner/service-kit';
import type { Caller } from '../authentication.ts';

/** Places of one kind of work that accounts share at a gateway. */
export interface SharedPlaces {
  readonly places: Pick<AccountPlaces, 'take'>;
  /** Time that a call waits for a place. */
  readonly patienceMs: number;
}

/** Call that needs a place. */
export interface Applicant {
  readonly caller: Caller;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
}

/** Waits for a place of the caller's account. Throws RATE_LIMITED with this message when it has none for too long. */
export async function takePlace(
  { caller, signal }: Applicant,
  { places, patienceMs }: SharedPlaces,
  refusal: { readonly message: string; readonly suggestion: string },
): Promise<Disposable> {
  const patience = AbortSignal.timeout(patienceMs);
  try {
    return await places.take(caller.account.id, AbortSignal.any([signal, patience]));
  } catch (error) {
    if (signal.aborted || !patience.aborted) throw error;
    throw new AppError('RATE_LIMITED', { ...refusal, retryAfterSeconds: Math.ceil(patienceMs / 1000) });
  }
}
