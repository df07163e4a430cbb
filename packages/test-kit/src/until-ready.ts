import { eventually } from './eventually.ts';

/** Something that tells when it is ready, such as the connection to a broker. */
export interface Readiness {
  /** Resolves to false if it is not ready after this time. */
  whenReady(timeoutMs: number): Promise<boolean>;
}

/** Waits until something is ready; throws if it is not after some minutes. */
export async function untilReady(part: Readiness): Promise<void> {
  await eventually(async () => {
    if (!(await part.whenReady(240_000))) throw new Error('It is not ready.');
  });
}
