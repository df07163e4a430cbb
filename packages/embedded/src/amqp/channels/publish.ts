import { REPLY_TO } from '../broker/broker.ts';
import { type Message, messageFromBytes, withProperties } from '../messages/message.ts';
import { AmqpError, REPLY_CODES } from '../wire/amqp-error.ts';
import type { Properties } from '../wire/properties.ts';
import type { Channel } from './channel.ts';
import type { Publish } from './content-assembler.ts';

const MAX_EXPIRATION_MS = 4_294_967_295;

/** Checks and routes one publish, returns a mandatory one that no queue takes, and confirms it. */
export function publish(channel: Channel, { args, propertyBytes, body }: Publish): void {
  if (args.immediate) throw new AmqpError('NOT_IMPLEMENTED', 'immediate=true');
  channel.context.broker.topology.exchange(args.exchange);
  const message = withReplyAddress(
    channel,
    messageFromBytes(args.exchange, args.routingKey, propertyBytes, body),
  );
  checkProperties(message.properties);
  const tag = channel.confirms?.next();
  const outcome = channel.context.broker.publish(message);
  if (!outcome.isRouted && args.mandatory) sendReturn(channel, message);
  if (tag === undefined) return;
  if (outcome.isStored && !outcome.isRejected) {
    channel.context.afterFlush(() => channel.confirm(tag, true));
  } else {
    channel.confirm(tag, !outcome.isRejected);
  }
}

/** Direct reply-to: the pseudo-queue's name becomes the address of this channel's reply consumer. */
function withReplyAddress(channel: Channel, message: Message): Message {
  if (message.properties.replyTo !== REPLY_TO) return message;
  if (!channel.replyAddress) throw new AmqpError('PRECONDITION_FAILED', 'fast reply consumer does not exist');
  return withProperties(message, { ...message.properties, replyTo: channel.replyAddress.address });
}

function checkProperties({ userId, expiration }: Readonly<Properties>): void {
  if (userId !== undefined) throw new AmqpError('NOT_IMPLEMENTED', 'user-id');
  if (expiration !== undefined) checkExpiration(expiration);
}

function checkExpiration(expiration: string): void {
  const fault = !/^-?\d+$/.test(expiration)
    ? 'not a whole number of milliseconds'
    : Number(expiration) < 0 || Number(expiration) > MAX_EXPIRATION_MS
      ? `not between 0 and ${MAX_EXPIRATION_MS}`
      : undefined;
  if (fault) throw new AmqpError('PRECONDITION_FAILED', `invalid expiration '${expiration}': ${fault}`);
}

function sendReturn(channel: Channel, message: Message): void {
  const { exchange, routingKey } = message;
  const replyCode = REPLY_CODES.NO_ROUTE.code;
  channel.sendContent('basic.return', { replyCode, replyText: 'NO_ROUTE', exchange, routingKey }, message);
}
