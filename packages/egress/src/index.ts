export { createHttpClient } from './fetch/create-http-client.ts';
export type { FetchRequest, HttpClient } from './fetch/http-client.ts';
export { parseRetryAfter } from './fetch/parse-retry-after.ts';
export { FAILURE_BYTES } from './fetch/read-wanted.ts';
export { createChromeClient } from './impersonate/create-chrome-client.ts';
export { describeChrome } from './impersonate/describe-chrome.ts';
export { createEgressPolicy, type EgressPolicy } from './policy/create-egress-policy.ts';
export {
  createProxyPools,
  type ProxyLease,
  type ProxyPools,
  type ProxyUse,
} from './proxies/create-proxy-pools.ts';
export { describeNoProxies } from './proxies/describe-no-proxies.ts';
export { isWorthAnotherProxy } from './proxies/judge-outcome.ts';
export { readProxies } from './proxies/read-proxies.ts';
export { createProxyStarter, type ProxyServer } from './proxy-server/start-proxy-server.ts';
export { createCookieJar } from './request/create-cookie-jar.ts';
export { findCookieFaults } from './request/find-cookie-faults.ts';
export { findHeaderFaults } from './request/find-header-faults.ts';
export type { Route } from './route/route.ts';
