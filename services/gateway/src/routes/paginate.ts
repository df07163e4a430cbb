import type { Pagination } from '@gleaner/contracts';

/** Returns the pagination of a part of a list, by the number of its entries. */
export function paginate(
  { limit, offset }: Pick<Pagination, 'limit' | 'offset'>,
  { count, total }: { readonly count: number; readonly total: number },
): Pagination {
  return { limit, offset, total, hasMore: offset + count < total };
}
