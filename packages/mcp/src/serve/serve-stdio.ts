import { Gleaner } from '@gleaner/client';
import { serveStdio as serve } from '@modelcontextprotocol/server/stdio';
import { createServer } from './create-server.ts';
import { findScopes } from './known-keys.ts';

/** Settings of a server on the standard streams. */
export interface StdioOptions {
  readonly url: string;
  readonly apiKey: string;
  readonly version: string;
  /** Ends the server. */
  readonly signal: AbortSignal;
  /** Shows a line to the person who runs the server. */
  readonly onNotice: (text: string) => void;
}

/**
 * Serves one agent over the standard input and output, until it closes them. Throws UNAUTHORIZED when the service does not
 * know the key. The scopes are those at the start.
 */
export async function serveStdio({ url, apiKey, version, signal, onNotice }: StdioOptions): Promise<void> {
  const gleaner = new Gleaner({ url, apiKey, headers: { 'user-agent': `gleaner-mcp/${version}` } });
  let scopes = await findScopes(gleaner);
  onNotice(scopes ? `Serving the tools of ${url}.` : `${url} does not answer; its tools work once it does.`);
  const handle = serve(
    async () => {
      scopes ??= await findScopes(gleaner).catch(() => undefined);
      return createServer({ gleaner, scopes, version });
    },
    { onerror: (error) => onNotice(error.message) },
  );
  await new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await handle.close();
}
