/** Endpoints of Firecrawl that have no equal, by the beginning of their paths after the version; the first that fits holds. */
export const FIRECRAWL_MISSING: readonly { readonly path: string; readonly note: string }[] = [
  {
    path: '/search/',
    note: "The indexes of papers and of developers are Firecrawl's own. `/search` searches the web.",
  },
  { path: '/agent', note: 'No language model does this here. Crawl, and read fields with `selectors`.' },
  { path: '/deep-research', note: 'No language model does this here.' },
  { path: '/llmstxt', note: 'No language model does this here. Crawl with the format `markdown`.' },
  { path: '/crawl/llmstxt', note: 'No language model does this here.' },
  { path: '/monitor', note: 'Create a schedule with `POST /v1/schedules`; its runs are compared.' },
  { path: '/interact', note: 'Name the steps in `actions`.' },
  { path: '/browser', note: 'Name the steps in `actions`.' },
  {
    path: '/scrape/',
    note: 'A page that was scraped is returned once. `/batch/scrape` keeps its pages; steps go into `actions`.',
  },
  { path: '/team/', note: '`GET /v1/jobs` and `GET /v1/usage` show what the account did.' },
  { path: '/support/', note: 'The documentation is in `docs/`.' },
  { path: '/feedback', note: 'There is no service to send it to.' },
];
