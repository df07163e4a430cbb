import { GleanerError } from '@gleaner/client';

/** Returns what an error says about one field of a request, by its dotted path. */
export function problemAt(error: unknown, path: string): string | undefined {
  if (!(error instanceof GleanerError)) return undefined;
  const found = error.details?.filter(
    (detail) =>
      detail.path === path || detail.path.startsWith(`${path}.`) || detail.path.startsWith(`${path}[`),
  );
  return found?.map(({ message }) => message).join(' ') || undefined;
}
