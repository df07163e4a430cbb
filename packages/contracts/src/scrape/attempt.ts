import type { Static, TNumber, TOptional } from 'typebox';
import { OneOf } from '../map-of.ts';
import { Type } from '../type.ts';
import { type StepScreenshots, StepScreenshotsSchema, TracedActionSchema } from './actions.ts';

const ATTEMPT_PROPERTIES = {
  engine: OneOf(['http', 'browser']),
  proxy: Type.Optional(
    Type.String({
      description: 'The proxy, by its country and its place in the pool.',
      examples: ['us-2'],
    }),
  ),
  statusCode: Type.Optional(Type.Integer()),
  outcome: Type.String({ description: '`success`, or the error code that ended the attempt.' }),
  durationMs: Type.Integer({ minimum: 0 }),
};

/** One attempt at a page: its engine, its proxy, its outcome and its duration. */
export const AttemptSchema = Type.Object(ATTEMPT_PROPERTIES, { additionalProperties: false });
export type Attempt = Static<typeof AttemptSchema>;

/** The stages of an attempt, in the order in which they usually come; a redirect or a retry begins again. */
export const STAGES = {
  browser: 'Waiting for a free browser.',
  prepare: 'Preparing a browser tab: cookies, headers, disguise.',
  load: 'Loading the page in the browser, until the document begins to arrive.',
  dns: 'Resolving the host name.',
  connect: 'Opening the connection.',
  proxy: 'Waiting for the proxy to connect.',
  tls: 'Negotiating TLS.',
  firstByte: 'Waiting for the first byte of the response.',
  body: 'Reading the body.',
  backoff: 'Waiting before another request.',
  settle: 'Waiting until the page in the browser has settled.',
  check: "Waiting for the site's own check of the browser.",
  overlays: 'Dismissing the layers that ask for consent.',
  actions: 'Doing the steps of `actions`.',
  waitFor: 'Waiting for what `waitFor` names.',
  snapshot: 'Reading the page out of the browser.',
  screenshot: 'Taking the screenshot.',
  queue: 'Waiting for a turn to read the page.',
  parse: 'Parsing the page.',
  extract: 'Extracting the values.',
  model: 'Waiting for the model of the option `extract`, and checking its answer.',
  calibrate: 'Comparing the page with the answer to a path that does not exist.',
} as const;
export type StageName = keyof typeof STAGES;

/** Milliseconds spent in each stage; stages that did not occur are missing. */
export const StageTimesSchema = Type.Object(
  Object.fromEntries(
    Object.entries(STAGES).map(([name, description]) => [
      name,
      Type.Optional(Type.Number({ minimum: 0, description })),
    ]),
  ) as Record<StageName, TOptional<TNumber>>,
  { additionalProperties: false },
);
export type StageTimes = Static<typeof StageTimesSchema>;

/** An attempt with the times that its trace shows; only messages and traces have them. */
export const TracedAttemptSchema = Type.Object(
  {
    ...ATTEMPT_PROPERTIES,
    /** Rung of the anti-bot ladder; missing without `antiBot`. */
    rung: Type.Optional(Type.String()),
    /** Milliseconds since 1970. */
    startedAtMs: Type.Optional(Type.Integer()),
    stages: Type.Optional(StageTimesSchema),
    actions: Type.Optional(Type.Array(TracedActionSchema)),
    /** Not stored. */
    stepScreenshots: Type.Optional(StepScreenshotsSchema),
  },
  { additionalProperties: false },
);
export type TracedAttempt = Static<typeof TracedAttemptSchema>;

/** Returns the attempts as answers show them, without the times of their stages. */
export function shownAttempts(attempts: readonly TracedAttempt[]): Attempt[] {
  return storedAttempts(attempts).map(
    ({ rung: _rung, startedAtMs: _startedAtMs, stages: _stages, actions: _actions, ...attempt }) => attempt,
  );
}

/** Returns the attempts as traces keep them, without images. */
export function storedAttempts(attempts: readonly TracedAttempt[]): TracedAttempt[] {
  return attempts.map(({ stepScreenshots: _images, ...attempt }) => attempt);
}

/** Returns the images of the last attempt, if it has any. */
export function stepScreenshotsIn(attempts: readonly TracedAttempt[] = []): {
  readonly stepScreenshots?: StepScreenshots;
} {
  const { stepScreenshots } = attempts.at(-1) ?? {};
  return stepScreenshots ? { stepScreenshots } : {};
}
