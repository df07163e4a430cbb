import type { Stack } from '../start-stack.ts';

const WITHIN_MS = 5_000;

/** Returns the address of the console, where an API key signs in. */
export function consoleUrl(publicUrl: string): string {
  return `${publicUrl.replace(/\/$/, '')}/console/`;
}

/**
 * Returns the address that opens the console and signs in, once and within ten minutes; the address of the console when
 * the stack makes no code.
 */
export async function signInLink(stack: Pick<Stack, 'url' | 'apiKey'>, publicUrl: string): Promise<string> {
  const page = consoleUrl(publicUrl);
  try {
    const response = await fetch(`${stack.url}/v1/session/codes`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stack.apiKey}` },
      signal: AbortSignal.timeout(WITHIN_MS),
    });
    const { code } = (await response.json()) as { code?: string };
    return code ? `${page}#code=${code}` : page;
  } catch {
    return page;
  }
}
