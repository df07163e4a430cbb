import type { MethodHandlers } from '../channels/channel.ts';
import { ConfirmTracker } from '../channels/confirm-tracker.ts';
import { AmqpError } from '../wire/amqp-error.ts';

/** The channel itself: open, flow, close, and the switch to confirm mode. */
export const channelMethods: MethodHandlers = {
  'channel.open'() {
    throw new AmqpError('CHANNEL_ERROR', "second 'channel.open' seen");
  },

  'channel.flow'(channel, { active }) {
    if (!active) throw new AmqpError('NOT_IMPLEMENTED', 'active=false');
    channel.send('channel.flow-ok', { active });
  },

  'channel.close'(channel) {
    channel.release();
    channel.send('channel.close-ok', {});
    channel.host.forget(channel.number);
  },

  'confirm.select'(channel, { noWait }) {
    channel.confirms ??= new ConfirmTracker();
    if (!noWait) channel.send('confirm.select-ok', {});
  },

  'access.request'(channel) {
    channel.send('access.request-ok', { ticket: 1 });
  },
};
