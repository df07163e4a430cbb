export type { BodyBeginning, BodySink } from './body/read-body.ts';
export { FAILURE_BYTES } from './body/read-response-body.ts';
export { createChromeClient } from './chrome/create-chrome-client.ts';
export { describeChrome } from './chrome/describe-chrome.ts';
export { createHttpClient } from './client/create-http-client.ts';
export { parseRetryAfter } from './client/decide-retry.ts';
export type { FetchedPage, FetchRequest, HttpClient } from './client/http-client.ts';
export { quoteUrl } from './client/quote-url.ts';
export { PLAIN_HEADERS } from './http/plain-stack.ts';
export { createEgressPolicy, type EgressPolicy } from './policy/create-egress-policy.ts';
export { readProxies } from './proxies/config/read-proxies.ts';
export {
  createProxyPools,
  explainMissingProxies,
  type ProxyLease,
  type ProxyPools,
  type ProxyUse,
} from './proxies/pools/create-proxy-pools.ts';
export { isWorthAnotherProxy } from './proxies/pools/proxy-health.ts';
export { createProxyStarter, type ProxyServer } from './proxy-server/start-proxy-server.ts';
export { createCookieJar, createStateJar } from './request/create-cookie-jar.ts';
export { findCookieErrors } from './request/find-cookie-errors.ts';
export { findHeaderErrors } from './request/find-header-errors.ts';
export type { Route } from './route/route.ts';
export { type StageClock, startStageClock } from './route/stage-clock.ts';
