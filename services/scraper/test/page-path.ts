/** Returns a path on the test origin that answers with this markup. */
export function html(markup: string): string {
  return sentAs('text/html; charset=utf-8', markup);
}

/** Returns a path on the test origin that answers with this script. */
export function script(text: string): string {
  return sentAs('text/javascript', text);
}

/** Returns a path on the test origin that answers with this text and Content-Type. */
export function sentAs(type: string, text: string | Uint8Array): string {
  return `/type?as=${encodeURIComponent(type)}&hex=${Buffer.from(text).toString('hex')}`;
}
