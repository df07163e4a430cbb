export { freePort } from '@gleaner/config';
export { askDuckDb, type DuckDbAnswer } from './ask-duckdb.ts';
export { type Certificate, createAuthority, createCertificate } from './create-certificate.ts';
export { makePdf, writePdf } from './documents/make-pdf.ts';
export { readArticles, readDocuments, readPdfs, unpackPython } from './documents/read-documents.ts';
export { eventually } from './eventually.ts';
export {
  type HostileSiteName,
  startHostileSite,
} from './hostile-sites/start-hostile-site.ts';
export { readShop, SHOP_SCHEMA, type ShopPage, writeShop } from './model/model-shop.ts';
export {
  type HonestReader,
  MODEL_FAULTS,
  MODEL_TOKENS,
  type ModelBehavior,
  startModel,
  type TestModel,
} from './model/start-model.ts';
export { noise } from './noise/noise.ts';
export type { OriginRoute } from './origin/behavior.ts';
export { BLOCK_PAGE_VENDORS } from './origin/behaviors/block-pages.ts';
export { LABELED_PAGES, type LabeledPage, suspectPage } from './origin/behaviors/suspect-pages.ts';
export { WALL_CHECK_NAMES } from './origin/behaviors/walls.ts';
export { htmlPath, scriptPath, typedPath } from './origin/page-path.ts';
export { routesOf, type SiteDocument } from './origin/routes-of.ts';
export { type Origin, startOrigin } from './origin/start-origin.ts';
export { startBrokenProxy } from './proxy/start-broken-proxy.ts';
export { startHttpProxy } from './proxy/start-http-proxy.ts';
export { startSocksProxy } from './proxy/start-socks-proxy.ts';
export type { TestProxy } from './proxy/test-proxy.ts';
export { createRandom, fuzzSeeds, type Random } from './random.ts';
export { RANGE_CASES, type RangeCase } from './range/range-cases.ts';
export { startRange } from './range/start-range.ts';
export {
  type Bucket,
  type BucketFault,
  type BucketRequest,
  startBucket,
} from './receivers/start-bucket.ts';
export { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from './receivers/start-otlp-receiver.ts';
export { type SearxngQuestion, type SearxngStub, startSearxng } from './receivers/start-searxng.ts';
export { startWebhookReceiver, type WebhookReceiver } from './receivers/start-webhook-receiver.ts';
export { changesOf, type GraphChanges } from './site-graph/changes-of.ts';
export { type ClosureEntry, type ClosureOptions, closureOf } from './site-graph/closure-of.ts';
export type { GraphEdits } from './site-graph/graph-page.ts';
export { pageKey } from './site-graph/page-key.ts';
export { type RunningSiteGraph, startSiteGraph } from './site-graph/start-site-graph.ts';
export {
  createContent,
  createDesign,
  editContent,
  REDESIGNS,
  type Redesign,
  redesign,
  renderShop,
  type ShopContent,
  type ShopDesign,
  selectorsFor,
  valuesOf,
} from './sites/redesigned-shop.ts';
export { type MembersSite, startMembersSite } from './sites/start-members-site.ts';
export { type Site, startSite } from './sites/start-site.ts';
export { type CostlyCase, findLongTurns } from './turns/find-long-turns.ts';
export { HOSTILE_PAGES, type HostilePage, typeOfHostile } from './turns/hostile-pages.ts';
export { startWatchedProcess, type WatchedProcess } from './turns/start-watched-process.ts';
export { untilReady } from './until-ready.ts';
