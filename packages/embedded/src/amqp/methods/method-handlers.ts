import type { Channel, MethodHandlers } from '../channels/channel.ts';
import { AmqpError } from '../wire/amqp-error.ts';
import type { Method } from '../wire/methods.ts';
import { ackMethods } from './ack-methods.ts';
import { channelMethods } from './channel-methods.ts';
import { consumeMethods } from './consume-methods.ts';
import { exchangeMethods } from './exchange-methods.ts';
import { queueMethods } from './queue-methods.ts';

/** Every method that a client may send on an open channel, except basic.publish, which has content. */
const HANDLERS: MethodHandlers = {
  ...channelMethods,
  ...exchangeMethods,
  ...queueMethods,
  ...consumeMethods,
  ...ackMethods,
};

/** Runs the handler of a method; rejects methods that are not supported and those that only a server sends. */
export function handleMethod(channel: Channel, { name, args }: Method): void {
  const handler = HANDLERS[name] as ((channel: Channel, args: Method['args']) => void) | undefined;
  if (handler) {
    handler(channel, args);
    return;
  }
  if (name.startsWith('tx.'))
    throw new AmqpError('NOT_IMPLEMENTED', `${name}: use publisher confirms instead`);
  throw new AmqpError('COMMAND_INVALID', `${name} is not a method that a client may send on an open channel`);
}
