import { queryOptions } from '@tanstack/react-query';
import { gleaner } from './gleaner.ts';

/** Query of the channels of the account. */
export const CHANNELS = queryOptions({
  queryKey: ['channels'],
  queryFn: ({ signal }) => gleaner.channels.list({ signal }),
});
