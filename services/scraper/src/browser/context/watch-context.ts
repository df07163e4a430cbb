import type { Tab } from '../tab/open-tab.ts';

/** State that a page may have left in its context, as far as its events tell. */
export interface ContextTraces {
  /** Origins of its outermost documents, and of frames that are part of them. */
  readonly origins: ReadonlySet<string>;
  /** Why the context cannot be cleaned; undefined while it can. */
  readonly obstacle: string | undefined;
}

/**
 * Follows what a page leaves in its context. Frames of other origins have storage partitioned by the outermost document,
 * and credentials of HTTP authentication stay in the network stack: no command of the browser removes either.
 */
export function watchContext({ session }: Tab): ContextTraces {
  const origins = new Set<string>();
  let outermost = '';
  let obstacle: string | undefined;
  session.on('Page.frameNavigated', ({ frame: { parentId, securityOrigin } }) => {
    if (!securityOrigin.startsWith('http')) return;
    if (parentId === undefined) outermost = securityOrigin;
    if (securityOrigin === outermost) origins.add(securityOrigin);
    else obstacle ??= 'it had a frame of another origin';
  });
  session.on('Network.responseReceived', ({ response: { status } }) => {
    if (status === 401 || status === 407) obstacle ??= 'a site asked for credentials';
  });
  session.on('Network.requestWillBeSentExtraInfo', ({ headers }) => {
    if (Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')) {
      obstacle ??= 'it sent credentials';
    }
  });
  return {
    origins,
    get obstacle() {
      return obstacle;
    },
  };
}
