import {
  type Capture,
  DEFAULT_CAPTURE_LIMIT,
  type ErrorDetail,
  type ScrapeOptions,
  type SelectorMap,
} from '@gleaner/contracts';
import { findUrlPatternError } from '@gleaner/frontier';

const NAME = /^[\p{L}_][\p{L}\p{N}_-]{0,63}$/u;

/** Finds errors in the captures of a request, and fields that read an undefined capture. */
export function findCaptureErrors({ capture = {}, selectors }: ScrapeOptions): ErrorDetail[] {
  return [
    ...Object.entries(capture).flatMap(([name, rule]) =>
      ruleErrors(name, rule).map(([field, message]) => ({ path: `capture.${name}${field}`, message })),
    ),
    ...findSourceErrors(selectors, capture, 'selectors'),
  ];
}

function ruleErrors(
  name: string,
  { url, wait = 0, limit = DEFAULT_CAPTURE_LIMIT }: Capture[string],
): (readonly [field: string, message: string])[] {
  const problem = findUrlPatternError(url);
  return [
    ...(NAME.test(name) ? [] : [['', NAME_MESSAGE] as const]),
    ...(problem === undefined ? [] : [['.url', problem] as const]),
    ...(wait > limit ? [['.wait', `must be at most limit, which is ${limit}`] as const] : []),
  ];
}

const NAME_MESSAGE =
  'must have a name of at most 64 letters, digits, "_" and "-", which begins with a letter or "_"';

/** Finds fields that read responses of an undefined capture. */
export function findSourceErrors(
  selectors: SelectorMap = {},
  capture: Capture = {},
  path: string,
): ErrorDetail[] {
  const names = Object.keys(capture);
  return Object.entries(selectors).flatMap(([name, selector]): ErrorDetail[] => {
    const from = typeof selector === 'object' ? selector.from : undefined;
    if (typeof from !== 'string' || names.includes(from)) return [];
    const known = names.length === 0 ? 'there is none' : `there are: ${names.join(', ')}`;
    return [
      { path: `${path}.${name}`, message: `reads "${from}", which is not a name in capture; ${known}` },
    ];
  });
}
