export { extractWithMatches, renderView } from '@gleaner/extraction';
export { type PagePair, type Repair, type RepairRequest, repair } from './repair/repair.ts';
export { type Solution, solve } from './solve/solve.ts';
export type { SolveRequest } from './solve/solving.ts';
export { suggest } from './suggest.ts';
export type { Candidate, SuggestOptions, SuggestRequest } from './suggestion.ts';
