import type { Stack } from '../start-stack.ts';

const WITHIN_MS = 5_000;

/**
 * Returns the address that opens the console and signs in, once and within ten minutes. When the stack makes no code, it is
 * the address without one, where an API key signs in.
 */
export async function consoleLink(stack: Pick<Stack, 'url' | 'apiKey'>, publicUrl: string): Promise<string> {
  const page = `${publicUrl.replace(/\/$/, '')}/console/`;
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
