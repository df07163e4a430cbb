import { AppError } from '@gleaner/contracts';

/** Reason for which a step cannot be done, as the script in the page names it. */
export type Obstacle =
  | 'absent'
  | 'hidden'
  | 'disabled'
  | 'readonly'
  | 'moving'
  | 'covered'
  | 'outside'
  | 'detached'
  | 'missed'
  | 'refused'
  | 'unfocused'
  | 'unchanged'
  | 'no option'
  | 'disabled option'
  | 'not a frame'
  | 'not a field'
  | 'not a select'
  | 'not a checkbox'
  | 'a radio button'
  | 'no secret'
  | 'foreign';

/** Ends of the sentence that begins with the element. */
const REASONS: Readonly<Record<Obstacle, string>> = {
  absent: 'nothing in the page matches it',
  hidden: 'it is not visible',
  disabled: 'it is disabled',
  readonly: 'it is read-only',
  moving: 'it does not stop moving',
  covered: 'it is covered',
  outside: 'it cannot be scrolled into the window',
  detached: 'the page keeps replacing it',
  missed: 'it moves away, or is covered, before it can be clicked',
  refused: 'it does not take the value',
  unfocused: 'it cannot get the focus',
  unchanged: 'the click did not change its state',
  'no option': 'it has no option with this value or text',
  'disabled option': 'the option is disabled',
  'not a frame': 'it is not a frame',
  'not a field': 'it is not a field for text',
  'not a select': 'it is not a select element; click what opens the list, then the entry',
  'not a checkbox': 'it is not a checkbox, a radio button or a switch',
  'no secret': 'the secret for it is not there any more, or was encrypted with another SECRETS_KEY',
  foreign: 'the page is of an origin that the secret is not for',
  'a radio button': 'it is a radio button, which only another one of its group can uncheck',
};

/** Obstacles that pass for most pages: the step looks again until its time is over. */
export function mayPass(why: Obstacle): boolean {
  return !/^not a|radio/.test(why);
}

/** A step could not be done. */
export class StepFailed extends Error {
  override readonly name = 'StepFailed';
  readonly why: Obstacle;

  /** `by` names the element that covers it. */
  constructor(
    why: Obstacle,
    { selector, by }: { readonly selector: string; readonly by?: string | undefined },
  ) {
    const cover = by === undefined ? '' : ` by ${by}`;
    super(`${JSON.stringify(selector.slice(0, 200))}: ${REASONS[why]}${cover}`);
    this.why = why;
  }
}

/** Returns the error of a page whose step at a path could not be done in its time. */
export function actionFailed(path: string, { message }: StepFailed): AppError {
  return new AppError('ACTION_FAILED', {
    message: `${path} could not be done. ${message}.`,
    details: [{ path, message }],
  });
}
