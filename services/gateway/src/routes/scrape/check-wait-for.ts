import { AppError } from '@gleaner/contracts';
import { faultOfSelector } from '@gleaner/extraction';

/** Throws INVALID_SELECTOR unless the text is a CSS selector without a suffix. */
export function checkWaitFor(selector: string): void {
  const fault = faultOfSelector(selector);
  if (fault === undefined) return;
  throw new AppError('INVALID_SELECTOR', {
    message: `waitFor is not a CSS selector: ${selector.slice(0, 200)}`,
    suggestion:
      'Give a selector as document.querySelector takes it, without ::text, ::attr(name), ::html or ::all.',
    details: [{ path: 'waitFor', message: fault }],
  });
}
