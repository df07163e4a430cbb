import type { Caller } from '../caller.ts';
import { createListing, type Listing } from '../data-of.ts';
import type { Delivery } from '../generated/openapi.ts';
import type { CallOptions, QueryOf, ResultOf } from '../operation-types.ts';

/** The secret that signs deliveries. */
export type WebhookSecret = Omit<ResultOf<'getWebhookSecret'>, 'success'>;

/** Webhooks: the signing secret and the deliveries. */
export class Webhooks {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Returns the secret that signs deliveries. */
  async secret(options?: CallOptions): Promise<WebhookSecret> {
    const { success, ...secret } = await this.#caller.call('getWebhookSecret', {}, options);
    return secret;
  }

  /** Replaces the secret; for a time, deliveries are signed with both. */
  async rotateSecret(options?: CallOptions): Promise<WebhookSecret> {
    const { success, ...secret } = await this.#caller.call('rotateWebhookSecret', {}, options);
    return secret;
  }

  /** Lists deliveries with their attempts, newest first. */
  deliveries(query: QueryOf<'listWebhookDeliveries'> = {}, options?: CallOptions): Listing<Delivery> {
    return createListing('deliveries', query, options, (each, call) =>
      this.#caller.call('listWebhookDeliveries', { query: each }, call),
    );
  }

  /** Sends a delivery again. */
  async redeliver(id: string, options?: CallOptions): Promise<Delivery> {
    return (await this.#caller.call('redeliverWebhook', { path: { id } }, options)).delivery;
  }

  /** Sends a signed test event to a URL and returns its delivery. */
  async test(url: string, options?: CallOptions): Promise<Delivery> {
    return (await this.#caller.call('testWebhook', { body: { url } }, options)).delivery;
  }
}
