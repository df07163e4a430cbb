export { type Broker, connectBroker } from './connect-broker.ts';
export { isUnconfirmed } from './connection/broker-errors.ts';
export type { Incoming } from './consuming/incoming.ts';
export type { Subscription } from './consuming/subscription.ts';
