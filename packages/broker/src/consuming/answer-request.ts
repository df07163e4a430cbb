import { AppError, toAppError, toFailure } from '@gleaner/contracts';
import { unavailable } from '../connection/broker-errors.ts';
import type { BrokerLogger, MessageTracing } from '../connection/broker-options.ts';
import type { RequestDefinition } from '../messages/definitions.ts';
import {
  DEADLINE_HEADER,
  decodeJson,
  encodeJson,
  FAILURE_TYPE,
  MAX_BODY_BYTES,
  TRACE_HEADER,
} from '../messages/json-message.ts';
import type { Delivery, EncodedReply } from './delivery.ts';
import { FORWARDED, type Forwarded, type ForwardTo, type RequestHandler } from './incoming.ts';

/** A request that was lost with this many workers is answered with a failure. */
export const MAX_DELIVERIES = 3;

interface AnswerDeps<Body, Reply> {
  readonly definition: RequestDefinition<Body, Reply>;
  readonly handler: RequestHandler<Body, Reply>;
  readonly forward: ForwardTo<Reply>;
  readonly logger: BrokerLogger;
  readonly tracing: MessageTracing | undefined;
}

/** Runs the handler and encodes its result or error; undefined when it has forwarded the request. Never throws. */
export async function answerRequest<Body, Reply>(
  { definition, handler, forward, logger, tracing }: AnswerDeps<Body, Reply>,
  delivery: Delivery,
): Promise<EncodedReply | undefined> {
  const { name } = definition.queue;
  try {
    checkStillWorthwhile(definition, delivery);
    const body = await decodeJson(delivery.message.content, definition.checkBody, `A request to ${name}`);
    const work = () => handleInTime(name, { handler, forward }, delivery, body);
    const reply = await asSpan(name, work, delivery, tracing);
    if (reply === FORWARDED) return undefined;
    const content = encodeJson(reply);
    if (content.length > MAX_BODY_BYTES) throw tooLarge(name, content.length);
    return { content, type: 'reply' };
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.code === 'INTERNAL_ERROR' && !delivery.signal.aborted) {
      logger.error({ err: thrown, details: error.details }, `A request to ${name} failed.`);
    }
    return { content: encodeJson(toFailure(error)), type: FAILURE_TYPE };
  }
}

/** Runs the work as a span of the trace that the request belongs to, if it belongs to one. */
function asSpan<Result>(
  name: string,
  work: () => Promise<Result>,
  { message }: Delivery,
  tracing: MessageTracing | undefined,
): Promise<Result> {
  const parent: unknown = message.properties.headers?.[TRACE_HEADER];
  if (!tracing || typeof parent !== 'string') return work();
  return tracing.run({ name: `${name} process`, kind: 'consumer', parent }, work);
}

/** Returns how long the requester still waits; NaN when the message has no deadline. */
export function remainingMs({ message }: Delivery): number {
  return Number(message.properties.headers?.[DEADLINE_HEADER] ?? Number.NaN) - Date.now();
}

function checkStillWorthwhile(
  { queue: { name }, isPerilous }: Pick<RequestDefinition<unknown, unknown>, 'queue' | 'isPerilous'>,
  delivery: Delivery,
): void {
  if (delivery.count > MAX_DELIVERIES) {
    const message = `${MAX_DELIVERIES} workers of ${name} were lost while they had this request; it is not tried again.`;
    throw isPerilous ? new AppError('INTERNAL_ERROR', { message }) : unavailable(message);
  }
  const leftMs = remainingMs(delivery);
  if (Number.isNaN(leftMs))
    throw new AppError('INTERNAL_ERROR', { message: `A request to ${name} has no deadline.` });
  if (leftMs <= 0) throw timedOut(`The time ran out while the request was waiting in the queue ${name}.`);
}

async function handleInTime<Body, Reply>(
  name: string,
  { handler, forward }: Pick<AnswerDeps<Body, Reply>, 'handler' | 'forward'>,
  delivery: Delivery,
  body: Body,
): Promise<Reply | Forwarded> {
  const work = new AbortController();
  const onTimeout = () => work.abort(timedOut(`The time ran out while a worker of ${name} had the request.`));
  const onLost = () => work.abort(delivery.signal.reason);
  const timer = setTimeout(onTimeout, remainingMs(delivery));
  delivery.signal.addEventListener('abort', onLost);
  try {
    return await handler({
      body,
      signal: work.signal,
      redelivered: delivery.count > 1,
      deliveryCount: delivery.count,
      forward,
    });
  } finally {
    clearTimeout(timer);
    delivery.signal.removeEventListener('abort', onLost);
  }
}

function timedOut(message: string): AppError {
  return new AppError('TIMEOUT', { source: 'api', message });
}

function tooLarge(name: string, bytes: number): AppError {
  return new AppError('UNSUPPORTED_CONTENT', {
    message: `The reply of ${name} has ${bytes} bytes; at most ${MAX_BODY_BYTES} fit into a message.`,
    suggestion: 'Ask for less of the page: fewer or narrower selectors, or no screenshot.',
  });
}
