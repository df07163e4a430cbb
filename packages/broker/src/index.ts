export { type Broker, connectBroker } from './connect-broker.ts';
export type { Incoming } from './consuming/incoming.ts';
export type { Subscription } from './consuming/subscription.ts';
