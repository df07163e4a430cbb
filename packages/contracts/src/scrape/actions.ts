import type { Static, TProperties } from 'typebox';
import { SecretNameSchema } from '../access/secret.ts';
import { LIMITS } from '../limits.ts';
import { OneOf } from '../map-of.ts';
import { Type } from '../type.ts';

/** A text that is written into a field, or the name of a secret of the account. */
export type ActionValue = string | { readonly secret: string };

/** One step on a rendered page, except a loop. */
export type Step = { readonly optional?: boolean } & (
  | ({ readonly frame?: string | readonly string[] } & (
      | { readonly click: string }
      | { readonly fill: string; readonly value: ActionValue }
      | { readonly waitFor: string | number }
      | { readonly select: string; readonly value: ActionValue }
      | { readonly check: string }
      | { readonly uncheck: string }
      | { readonly hover: string }
      | { readonly scroll: string; readonly in?: string }
    ))
  | { readonly press: string }
  | { readonly collect: string }
);

/** Steps that are done again and again. */
export interface Loop {
  readonly optional?: boolean;
  readonly repeat: readonly Step[];
  readonly times?: number;
}

/** One step of `actions`. */
export type Action = Step | Loop;

/** Keys that have a name; every character is a key, too. */
const NAMED_KEYS = [
  ...[
    'Enter',
    'Tab',
    'Escape',
    'Backspace',
    'Delete',
    'Insert',
    'Space',
    'Home',
    'End',
    'PageUp',
    'PageDown',
  ],
  ...['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'],
  ...Array.from({ length: 12 }, (_, index) => `F${index + 1}`),
];

/** Keys that are held while another one is pressed. */
const MODIFIER_KEYS = ['Shift', 'Control', 'Alt', 'Meta'];

const selector = (description: string, examples: readonly string[]) =>
  Type.String({
    minLength: 1,
    maxLength: LIMITS.maxPartSelectorLength,
    description,
    examples: [...examples],
    'x-expected': `a CSS selector such as ${JSON.stringify(examples[0])}`,
  });

const ValueSchema = Type.Unsafe<ActionValue>({
  description: 'The text, or the name of a secret of the account: `{"secret": "shop-password"}`.',
  'x-expected': `a text of at most ${LIMITS.maxActionValueLength} characters, or {"secret": "name"}`,
  anyOf: [
    { type: 'string', maxLength: LIMITS.maxActionValueLength },
    Type.Object({ secret: SecretNameSchema }, { additionalProperties: false }),
  ],
});

const optional = Type.Optional(
  Type.Boolean({ description: 'Skip the step where it cannot be done, instead of failing. Default false.' }),
);

const frame = Type.Optional(
  Type.Unsafe<string | readonly string[]>({
    description:
      'The `iframe` that the element is in; of one in other frames, all of them, the outermost first. Default: the page itself.',
    examples: ['iframe.checkout', ['iframe.shop', 'iframe.checkout']],
    'x-expected': `a CSS selector such as "iframe.checkout", or a list of at most ${LIMITS.maxFrameDepth}, the outermost first`,
    anyOf: [
      { type: 'string', minLength: 1, maxLength: LIMITS.maxPartSelectorLength },
      {
        type: 'array',
        minItems: 1,
        maxItems: LIMITS.maxFrameDepth,
        items: { type: 'string', minLength: 1, maxLength: LIMITS.maxPartSelectorLength },
      },
    ],
  }),
);

const step = <Properties extends TProperties>(properties: Properties, description: string) =>
  Type.Object({ ...properties, optional }, { additionalProperties: false, description });

/** The form of each step by its verb. */
const STEPS = {
  click: step(
    { click: selector('The element.', ['.more']), frame },
    'Clicks an element; on a phone, taps it.',
  ),
  fill: step(
    { fill: selector('The field.', ['#q']), value: ValueSchema, frame },
    'Replaces the text of a field, by keys where the text is short.',
  ),
  press: step(
    {
      press: Type.String({
        pattern: `^(?:(?:${MODIFIER_KEYS.join('|')})\\+)*(?:${NAMED_KEYS.join('|')}|[!-~])$`,
        description: 'The key, after `Shift+`, `Control+`, `Alt+` or `Meta+` with these held.',
        examples: ['Enter', 'Shift+Tab'],
        'x-expected': `one character, or one of ${NAMED_KEYS.join(', ')}, after modifiers such as "Shift+"`,
      }),
    },
    'Presses a key on the element that has the focus.',
  ),
  waitFor: step(
    {
      waitFor: Type.Unsafe<string | number>({
        anyOf: [
          { type: 'string', minLength: 1, maxLength: LIMITS.maxPartSelectorLength },
          { type: 'integer', minimum: 0, maximum: LIMITS.maxStepMs },
        ],
        'x-expected': `a CSS selector, or a number of milliseconds from 0 to ${LIMITS.maxStepMs}`,
      }),
      frame,
    },
    'Waits until an element is there, or for a time in milliseconds.',
  ),
  select: step(
    { select: selector('The `select` element.', ['#size']), value: ValueSchema, frame },
    'Chooses the option of a `select` that has the value, or the text.',
  ),
  check: step(
    { check: selector('A checkbox, a radio button or a switch.', ['#in-stock']), frame },
    'Clicks unless it is checked.',
  ),
  uncheck: step(
    { uncheck: selector('A checkbox or a switch.', ['#in-stock']), frame },
    'Clicks if it is checked.',
  ),
  hover: step({ hover: selector('The element.', ['nav .menu']), frame }, 'Moves the mouse over an element.'),
  scroll: step(
    {
      scroll: selector('`end`, or an element.', ['end', '.footer']),
      in: Type.Optional(
        selector(
          'With `end`: the element that scrolls. Default: the page, else its largest part that scrolls.',
          ['.grid'],
        ),
      ),
      frame,
    },
    'Scrolls to the end, window by window, or until an element is in view.',
  ),
  collect: step(
    { collect: selector('The elements.', ['.card']) },
    'From now on, keeps each element that matches: those that the page takes away are put back, in the order in which they appeared, before the page is read.',
  ),
};

const StepSchema = Type.Unsafe<Step>({
  anyOf: Object.values(STEPS),
  'x-told-by': Object.keys(STEPS),
});

const LoopSchema = step(
  {
    repeat: Type.Array(StepSchema, { minItems: 1, maxItems: LIMITS.maxActions, description: 'The steps.' }),
    times: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: LIMITS.maxRepeats,
        description: `Most rounds. Default ${LIMITS.defaultRepeats}.`,
      }),
    ),
  },
  'Does steps until the first of them finds nothing, a round changes nothing for a second, or `times` is reached.',
);

/** The verbs of steps. */
const VERBS: readonly string[] = [...Object.keys(STEPS), 'repeat'];

/** One step of the option `actions`. */
export const ActionSchema = Type.Unsafe<Action>({
  description: 'A step on a rendered page, named by its verb.',
  anyOf: [...Object.values(STEPS), LoopSchema],
  'x-told-by': [...VERBS],
});

export const ActionsSchema = Type.Unsafe<readonly Action[]>(
  Type.Array(ActionSchema, {
    maxItems: LIMITS.maxActions,
    description: `Steps in the rendered page before it is read, in order: \`click\`, \`fill\`, \`press\`, \`waitFor\`, \`select\`, \`check\`, \`uncheck\`, \`hover\`, \`scroll\`, \`collect\`, and \`repeat\` around others; at most ${LIMITS.maxActions}, those in \`repeat\` counted. Each waits up to 10 seconds for its element. One that cannot be done fails the page with ACTION_FAILED unless it is \`optional\`. Implies \`render\`.`,
    examples: [
      [{ fill: '#q', value: 'kettle' }, { press: 'Enter' }, { waitFor: '.results' }],
      [{ repeat: [{ click: 'a.more' }], times: 20 }],
    ],
    'x-expected': 'a list of steps such as [{"click": ".more"}]',
  }),
);

const RESULT_PROPERTIES = {
  index: Type.Integer({ minimum: 0, description: 'Position of the step in `actions`, from 0.' }),
  durationMs: Type.Integer({ minimum: 0 }),
  rounds: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Of `repeat`: how often its steps were done.' }),
  ),
  url: Type.Optional(
    Type.String({ description: 'The URL of the page after the step, if it led to another one.' }),
  ),
};

/** Result of a step. */
export const ActionResultSchema = Type.Object(
  {
    ...RESULT_PROPERTIES,
    outcome: OneOf(['done', 'skipped'], {
      description: 'A step with `optional` is skipped where it cannot be done.',
    }),
  },
  { additionalProperties: false },
);
export type ActionResult = Static<typeof ActionResultSchema>;

/** The window after each step, small. */
export const StepScreenshotsSchema = Type.Array(
  Type.Object(
    {
      index: Type.Integer({ minimum: 0, description: 'Position of the step in `actions`, from 0.' }),
      image: Type.String({ contentEncoding: 'base64', description: 'A JPEG.' }),
    },
    { additionalProperties: false },
  ),
  {
    maxItems: LIMITS.maxStepScreenshots,
    description:
      'With `stepScreenshots`: the window after the steps of `actions`, 640 pixels wide. None of a document into which a secret was written.',
  },
);
export type StepScreenshots = Static<typeof StepScreenshotsSchema>;

/** A step of an attempt, as its trace shows it. */
export const TracedActionSchema = Type.Object(
  {
    ...RESULT_PROPERTIES,
    step: Type.String({ description: 'The verb and its selector or key.', examples: ['click .more'] }),
    outcome: OneOf(['done', 'skipped', 'failed']),
  },
  { additionalProperties: false },
);
export type TracedAction = Static<typeof TracedActionSchema>;

/** Returns the results of the steps of an attempt that succeeded. */
export function resultsOf(actions: readonly TracedAction[]): ActionResult[] {
  return actions.flatMap(({ step: _step, outcome, ...result }) =>
    outcome === 'failed' ? [] : [{ ...result, outcome }],
  );
}

/** Returns the verb of a step with its selector or key, cut where it is long; never a value. */
export function labelOf(action: Action): string {
  const [verb = '', target] = Object.entries(action).find(([name]) => VERBS.includes(name)) ?? [];
  return 'repeat' in action
    ? `repeat ${action.repeat.map(labelOf).join(', ')}`.slice(0, 200)
    : `${verb} ${target}`.slice(0, 200);
}

/** Steps with their paths, such as `actions.2.repeat.0`, those in loops included. */
export function stepsOf(
  actions: readonly Action[],
  path: string,
): readonly { readonly step: Action; readonly path: string }[] {
  return actions.flatMap((step, index) => {
    const own = { step, path: `${path}.${index}` };
    return 'repeat' in step ? [own, ...stepsOf(step.repeat, `${own.path}.repeat`)] : [own];
  });
}

/** Returns the names of the secrets that steps write into fields, by their paths. */
export function secretsIn(
  actions: readonly Action[] = [],
  path = 'actions',
): readonly { readonly name: string; readonly path: string }[] {
  return stepsOf(actions, path).flatMap(({ step, path: at }) =>
    'value' in step && typeof step.value === 'object'
      ? [{ name: step.value.secret, path: `${at}.value.secret` }]
      : [],
  );
}
