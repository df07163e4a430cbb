export { extractWithMatches, renderView } from '@gleaner/extraction';
export { type PagePair, type Repair, type RepairRequest, repair } from './repair/repair.ts';
export { suggest } from './suggest.ts';
export type { Candidate, SuggestOptions, SuggestRequest } from './suggestion.ts';
