/** When the answer to a request is no longer wanted, in milliseconds since 1970. */
export const DEADLINE_HEADER = 'x-gleaner-deadline-ms';

/** How many workers a request had before it was put back into its queue. */
export const DELIVERIES_HEADER = 'x-gleaner-deliveries';

/** The type of a reply whose body is a Failure in place of what was asked for. */
export const FAILURE_TYPE = 'failure';
