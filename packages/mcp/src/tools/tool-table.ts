import { GET_RECORDS } from './get-records.ts';
import { GET_RESULTS } from './get-results.ts';
import { CANCEL_JOB, CREATE_JOB, GET_JOB } from './job-tools.ts';
import { LIST_URLS } from './list-urls.ts';
import { SCHEDULE } from './schedule.ts';
import { SCRAPE } from './scrape.ts';
import { SEARCH } from './search.ts';
import { EXTRACT_SNAPSHOT, SUGGEST_SELECTORS } from './snapshot-tools.ts';
import type { Tool } from './tool.ts';

/** Every tool, in the order in which agents see them. */
export const TOOLS: readonly Tool[] = [
  SCRAPE,
  SEARCH,
  LIST_URLS,
  EXTRACT_SNAPSHOT,
  SUGGEST_SELECTORS,
  CREATE_JOB,
  GET_JOB,
  GET_RESULTS,
  CANCEL_JOB,
  GET_RECORDS,
  SCHEDULE,
];
