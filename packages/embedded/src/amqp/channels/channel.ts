import type { QueueEntry } from '../messages/message.ts';
import type { Queue } from '../queues/queue.ts';
import { AmqpError } from '../wire/amqp-error.ts';
import { FRAME, type Frame } from '../wire/frame-parser.ts';
import type { Content, FrameWriter } from '../wire/frame-writer.ts';
import { decodeMethod, methodIds } from '../wire/method-codec.ts';
import type { Method, MethodArguments, MethodName } from '../wire/methods.ts';
import { type ChannelConsumer, presentDelivery } from './channel-consumer.ts';
import type { ConfirmTracker } from './confirm-tracker.ts';
import { ContentAssembler, type Publish } from './content-assembler.ts';
import type { ServerContext } from './server-context.ts';
import { type Delivery, UnackedList } from './unacked-list.ts';

/** The connection as its channels see it; it also owns their exclusive queues. */
export interface ChannelHost {
  /** True while too many bytes wait for the socket. */
  readonly isCongested: boolean;
  /** True when the client asks for basic.cancel when a queue with its consumers is deleted. */
  readonly wantsCancelNotify: boolean;
  readonly writer: FrameWriter;
  /** Sends the written frames at the end of this turn; `summarize` may add to them just before. */
  flushSoon(summarize?: () => void): void;
  /** Removes a closed channel. */
  forget(channelNumber: number): void;
}

/** Handlers of the methods and whole messages that arrive on a channel. */
export interface ChannelHandlers {
  onMethod(channel: Channel, method: Method): void;
  onPublish(channel: Channel, publish: Publish): void;
}

/** Handlers of the methods that a client sends on a channel, by name. */
export type MethodHandlers = {
  readonly [Name in MethodName]?: (channel: Channel, args: MethodArguments<Name>) => void;
};

/** Dependencies of a `Channel`. */
export interface ChannelDeps {
  readonly host: ChannelHost;
  readonly context: ServerContext;
  readonly handlers: ChannelHandlers;
}

/** One channel: its consumers, unacknowledged deliveries and outstanding confirms. */
export class Channel {
  readonly number: number;
  readonly host: ChannelHost;
  readonly context: ServerContext;
  readonly consumers = new Map<string, ChannelConsumer>();
  readonly unacked = new UnackedList();
  /** Present in confirm mode. */
  confirms: ConfirmTracker | undefined;
  /** Prefetch limit of consumers that are added later. */
  prefetchLimit = 0;
  /** The direct reply-to address and the tag of its consumer. */
  replyAddress: { readonly address: string; readonly consumerTag: string } | undefined;
  readonly #handlers: ChannelHandlers;
  readonly #content: ContentAssembler;
  #isOpen = true;
  #lastDeliveryTag = 0;
  readonly #summarize = () => this.#sendConfirms();

  constructor(number: number, { host, context, handlers }: ChannelDeps) {
    this.number = number;
    this.#handlers = handlers;
    this.host = host;
    this.context = context;
    this.#content = new ContentAssembler(context.limits.maxMessageBytes);
  }

  get canSend(): boolean {
    return !this.host.isCongested;
  }

  /** Takes a frame; a soft error closes the channel here, a hard one is thrown to the connection. */
  onFrame(frame: Frame): void {
    const method = frame.type === FRAME.method ? decodeMethod(frame.payload) : undefined;
    try {
      if (!this.#isOpen) this.#onFrameWhileClosing(method);
      else if (method) this.#onMethod(method);
      else this.#onContent(frame);
    } catch (error) {
      if (!(error instanceof AmqpError) || error.closes === 'connection') throw error;
      this.fail(error, method?.name ?? 'basic.publish');
    }
  }

  send<Name extends MethodName>(name: Name, args: MethodArguments<Name>): void {
    this.host.writer.method(this.number, name, args);
    this.host.flushSoon();
  }

  sendContent<Name extends MethodName>(name: Name, args: MethodArguments<Name>, content: Content): void {
    this.host.writer.method(this.number, name, args);
    this.host.writer.content(this.number, content);
    this.host.flushSoon();
  }

  deliver(consumer: ChannelConsumer, entry: QueueEntry): void {
    const deliveryTag = this.track(consumer.queue, entry, consumer);
    const { exchange, routingKey } = entry.message;
    const args = {
      consumerTag: consumer.tag,
      deliveryTag: BigInt(deliveryTag),
      redelivered: entry.isRedelivered,
      exchange,
      routingKey,
    };
    this.sendContent('basic.deliver', args, presentDelivery(entry));
  }

  nextDeliveryTag(): number {
    this.#lastDeliveryTag += 1;
    return this.#lastDeliveryTag;
  }

  /** Numbers a delivery, and keeps it until it is acknowledged. */
  track(
    queue: Queue,
    entry: QueueEntry,
    consumer: ChannelConsumer | undefined,
    isNoAck = consumer?.isNoAck,
  ): number {
    const tag = this.nextDeliveryTag();
    if (isNoAck) queue.settle(entry);
    else this.unacked.add({ tag, queue, entry, consumer });
    return tag;
  }

  /** Confirms or refuses a publish in confirm mode, together with all others of this turn. */
  confirm(tag: number, isAccepted: boolean): void {
    if (!this.#isOpen) return;
    this.confirms?.settle(tag, isAccepted);
    this.host.flushSoon(this.#summarize);
  }

  /** Puts deliveries back into their queues. */
  requeue(deliveries: readonly Delivery[]): void {
    const byQueue = Map.groupBy(deliveries, ({ queue }) => queue);
    for (const { consumer } of deliveries) consumer?.onSettled();
    for (const [queue, returned] of byQueue) queue.requeue(returned.map(({ entry }) => entry));
  }

  /** Delivers to the consumers after capacity has become free. */
  dispatch(): void {
    for (const queue of new Set([...this.consumers.values()].map(({ queue }) => queue))) queue.dispatch();
  }

  onConsumerGone(consumer: ChannelConsumer): void {
    this.consumers.delete(consumer.tag);
    if (this.host.wantsCancelNotify) this.send('basic.cancel', { consumerTag: consumer.tag, noWait: true });
  }

  /** Closes the channel with an error and waits for the client's close-ok. */
  fail(error: AmqpError, culprit: MethodName): void {
    this.context.logger.warn({ channel: this.number, method: culprit }, error.replyText);
    const { replyCode, replyText } = error;
    const ids = culprit ? methodIds(culprit) : { classId: 0, methodId: 0 };
    this.send('channel.close', { replyCode, replyText, ...ids });
    this.release();
  }

  /** Cancels the consumers and returns the unacknowledged deliveries to their queues; the channel accepts nothing more. */
  release(): void {
    this.#isOpen = false;
    if (this.replyAddress) this.context.broker.closeReplyAddress(this.replyAddress.address);
    this.replyAddress = undefined;
    const consumers = [...this.consumers.values()];
    this.consumers.clear();
    for (const consumer of consumers) consumer.queue.removeConsumer(consumer);
    this.requeue(this.unacked.takeAll());
  }

  #onMethod(method: Method): void {
    if (this.#content.isExpectingContent) {
      throw new AmqpError('UNEXPECTED_FRAME', `expected a content frame, got ${method.name} instead`);
    }
    if (method.name === 'basic.publish') this.#content.begin(method.args);
    else this.#handlers.onMethod(this, method);
  }

  #onContent(frame: Frame): void {
    const whole =
      frame.type === FRAME.header ? this.#content.header(frame.payload) : this.#content.body(frame.payload);
    if (whole) this.#handlers.onPublish(this, whole);
  }

  #onFrameWhileClosing(method: Method | undefined): void {
    if (method?.name === 'channel.close') this.send('channel.close-ok', {});
    if (method?.name === 'channel.close-ok') this.host.forget(this.number);
  }

  #sendConfirms(): void {
    if (!this.#isOpen) return;
    for (const { name, tag, isMultiple } of this.confirms?.take() ?? []) {
      const deliveryTag = BigInt(tag);
      if (name === 'basic.ack') this.send(name, { deliveryTag, multiple: isMultiple });
      else this.send(name, { deliveryTag, multiple: isMultiple, requeue: false });
    }
  }
}
