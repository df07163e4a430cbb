import type { Call } from '../call.ts';

/** The outcome of work that begins while its call is being counted: a refusal ends the work, and is thrown. */
export async function onceAdmitted<Result>(
  { admission, signal }: Pick<Required<Call>, 'admission' | 'signal'>,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const refused = new AbortController();
  admission.catch((refusal: unknown) => refused.abort(refusal));
  const result = await work(AbortSignal.any([signal, refused.signal]));
  await admission;
  return result;
}
