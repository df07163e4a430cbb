import type { Channel, MethodHandlers } from '../channels/channel.ts';
import { ConfirmTracker } from '../channels/confirm-tracker.ts';
import { AmqpError } from '../wire/amqp-error.ts';
import type { Method } from '../wire/methods.ts';
import { consumeMethods } from './consume-methods.ts';
import { exchangeMethods } from './exchange-methods.ts';
import { queueMethods } from './queue-methods.ts';

/** The channel itself: open, close, and the switch to confirm mode. */
const channelMethods: MethodHandlers = {
  'channel.open'() {
    throw new AmqpError('CHANNEL_ERROR', "second 'channel.open' seen");
  },

  'channel.close'(channel) {
    channel.release();
    channel.send('channel.close-ok', {});
    channel.host.forget(channel.number);
  },

  'confirm.select'(channel) {
    channel.confirms ??= new ConfirmTracker();
    channel.send('confirm.select-ok', {});
  },
};

/** Every client method on an open channel except basic.publish, which has content. */
export const HANDLERS: MethodHandlers = {
  ...channelMethods,
  ...exchangeMethods,
  ...queueMethods,
  ...consumeMethods,
};

/** Runs the handler of a method; rejects methods of servers, and `nowait`. */
export function handleMethod(channel: Channel, { name, args }: Method): void {
  const handler = HANDLERS[name] as ((channel: Channel, args: Method['args']) => void) | undefined;
  if (!handler)
    throw new AmqpError(
      'COMMAND_INVALID',
      `${name} is not a method that a client may send on an open channel`,
    );
  if ('noWait' in args && args.noWait) throw new AmqpError('NOT_IMPLEMENTED', `${name} with no-wait`);
  handler(channel, args);
}
