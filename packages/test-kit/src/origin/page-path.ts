/** Returns a path on the test origin that answers with this markup. */
export function htmlPath(markup: string): string {
  return typedPath('text/html; charset=utf-8', markup);
}

/** Returns a path on the test origin that answers with this script. */
export function scriptPath(text: string): string {
  return typedPath('text/javascript', text);
}

/** Returns a path on the test origin that answers with this text and Content-Type. */
export function typedPath(type: string, text: string | Uint8Array): string {
  return `/type?as=${encodeURIComponent(type)}&hex=${Buffer.from(text).toString('hex')}`;
}
