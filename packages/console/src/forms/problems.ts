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

/** Returns a function that binds an input to a text of a request: its value, its change, and what the error says about it. */
export function bindTo(error: unknown) {
  return (path: string, value: string, onChange: (text: string) => void) => ({
    value,
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      onChange(event.currentTarget.value),
    error: problemAt(error, path),
  });
}
