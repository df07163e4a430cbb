import { OneOf } from '../map-of.ts';
import { ignored, translated } from './option.ts';
import { FIRECRAWL_COMMON, FIRECRAWL_SCRAPE_OPTIONS } from './scrape-options.ts';

const PAGE = FIRECRAWL_SCRAPE_OPTIONS;
const NOT_FETCHED = 'Nothing is fetched.';
const NOT_KEPT = 'Files are not kept.';

/** Options of `POST /parse`, which are JSON in the field `options` of the upload. */
export const FIRECRAWL_PARSE = {
  formats: translated(
    PAGE.formats.schema,
    '`formats`, as for `/scrape`; default `markdown`. Screenshots, `json` and `summary` are refused',
  ),
  onlyMainContent: PAGE.onlyMainContent,
  includeTags: PAGE.includeTags,
  excludeTags: PAGE.excludeTags,
  parsers: PAGE.parsers,
  removeBase64Images: PAGE.removeBase64Images,
  timeout: ignored(PAGE.timeout.schema, 'A file is read within 20 seconds.'),
  headers: ignored(PAGE.headers.schema, NOT_FETCHED),
  proxy: ignored(OneOf(['basic', 'auto']), NOT_FETCHED),
  skipTlsVerification: ignored(PAGE.skipTlsVerification.schema, NOT_FETCHED, [false]),
  blockAds: ignored(PAGE.blockAds.schema, NOT_FETCHED, [true, false]),
  fastMode: ignored(PAGE.fastMode.schema, NOT_FETCHED, [true, false]),
  maxAge: ignored(PAGE.maxAge.schema, NOT_KEPT, [0]),
  storeInCache: ignored(PAGE.storeInCache.schema, NOT_KEPT, [true, false]),
  redactPII: PAGE.redactPII,
  useMock: PAGE.useMock,
  ...FIRECRAWL_COMMON,
};
