import { explainNavigation, type NavigationContext } from './explain-navigation.ts';

/**
 * Sends the tab to a URL and resolves when its document has begun to arrive. Throws INVALID_URL when the URL or a redirect
 * leads to where the policy lets nobody, UPSTREAM_ERROR, and UNSUPPORTED_CONTENT for a download.
 */
export async function navigate(url: string, context: NavigationContext): Promise<void> {
  const { errorText } = await context.tab.session.send('Page.navigate', { url });
  if (errorText !== undefined) explainNavigation(errorText, url, context);
}
