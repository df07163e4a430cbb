export { extractWithMatches, renderView } from '@gleaner/extraction';
export { suggest } from './suggest.ts';
export type { Candidate, SuggestOptions, SuggestRequest } from './suggestion.ts';
