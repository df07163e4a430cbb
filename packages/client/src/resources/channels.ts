import type { Caller } from '../caller.ts';
import type { Channel, Delivery } from '../generated/openapi.ts';
import type { BodyOf, CallOptions } from '../operation-types.ts';

/** Channels by which rules of schedules tell people: email, chats, and endpoints of your own. */
export class Channels {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Creates a channel. */
  async create(body: BodyOf<'createChannel'>, options?: CallOptions): Promise<Channel> {
    return (await this.#caller.call('createChannel', { body }, options)).channel;
  }

  /** Lists the channels by name; their addresses are cut where they hold a secret. */
  async list(options?: CallOptions): Promise<Channel[]> {
    return (await this.#caller.call('listChannels', {}, options)).channels;
  }

  /** Returns a channel. */
  async get(id: string, options?: CallOptions): Promise<Channel> {
    return (await this.#caller.call('getChannel', { path: { id } }, options)).channel;
  }

  /** Changes the name or the address of a channel. */
  async update(id: string, body: BodyOf<'updateChannel'>, options?: CallOptions): Promise<Channel> {
    return (await this.#caller.call('updateChannel', { path: { id }, body }, options)).channel;
  }

  /** Deletes a channel. */
  async delete(id: string, options?: CallOptions): Promise<void> {
    await this.#caller.call('deleteChannel', { path: { id } }, options);
  }

  /** Sends a test message to a channel and returns its delivery. */
  async test(id: string, options?: CallOptions): Promise<Delivery> {
    return (await this.#caller.call('testChannel', { path: { id } }, options)).delivery;
  }
}
