export { type Broker, connectBroker } from './connect-broker.ts';
export type { Incoming } from './incoming.ts';
export type { Subscription } from './subscription.ts';
