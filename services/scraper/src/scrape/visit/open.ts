import { screenshotOf } from '@gleaner/contracts';
import { setCookies as setCookiesOf } from '../../browser/tab/cookies.ts';
import { NavigationFailed } from '../../browser/tab/page-watch.ts';
import { sendHeaders as sendHeadersOf } from '../../browser/tab/send-headers.ts';
import { setViewport } from '../../browser/tab/set-viewport.ts';
import type { Visit } from './visit-page.ts';

/** Gives the window the size that the screenshot asks for. */
export async function setWindow({ tab, request }: Visit): Promise<void> {
  await setViewport(tab, screenshotOf(request) ?? {});
}

/** Puts the cookies of the request into the browser. */
export async function setCookies({ tab, request }: Visit): Promise<void> {
  const { url, cookies = [], headers = {} } = request;
  const { cookie: cookieHeader } = withLowerCaseNames(headers);
  await setCookiesOf(tab, { url, cookies, cookieHeader });
}

/** Has the browser send the headers of the request. */
export async function sendHeaders({ tab, request }: Visit): Promise<void> {
  const { url, headers = {} } = request;
  const { cookie: _cookies, ...others } = withLowerCaseNames(headers);
  await sendHeadersOf(tab, url, others);
}

/** Goes to the page. Resolves when the document has begun to arrive. */
export async function load({ tab, request }: Visit): Promise<void> {
  const { errorText } = await tab.session.send('Page.navigate', { url: request.url });
  if (errorText !== undefined) throw new NavigationFailed(errorText);
}

function withLowerCaseNames(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
