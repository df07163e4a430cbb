/** The path of a page on the test origin, which answers with this markup. */
export function html(markup: string): string {
  return sentAs('text/html; charset=utf-8', markup);
}

/** The path of a script on the test origin. */
export function script(text: string): string {
  return sentAs('text/javascript', text);
}

/** The path of a document on the test origin that is sent with a Content-Type. */
export function sentAs(type: string, text: string): string {
  return `/type?as=${encodeURIComponent(type)}&hex=${Buffer.from(text).toString('hex')}`;
}
