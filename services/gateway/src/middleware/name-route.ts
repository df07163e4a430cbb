import type { Stage } from '../call.ts';

/** Notes which route took the call, for the log and the metrics. */
export function nameRoute(name: string): Stage {
  return (_request, response, next) => {
    response.locals.call.route = name;
    next();
  };
}
