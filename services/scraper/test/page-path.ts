/** The path of a page on the test origin, which answers with this markup. */
export function html(markup: string): string {
  return path('text/html; charset=utf-8', markup);
}

/** The path of a script on the test origin. */
export function script(text: string): string {
  return path('text/javascript', text);
}

function path(type: string, text: string): string {
  return `/type?as=${encodeURIComponent(type)}&hex=${Buffer.from(text).toString('hex')}`;
}
