import type { BrokerLogger, Observe } from './broker-options.ts';
import type { NameOnBroker } from './declare-topology.ts';
import type { Link } from './link.ts';
import type { Publisher } from './publisher.ts';

/** What every sender and every consumer of messages is built on. */
export interface Wires {
  /** The connection that all but requests is consumed over. */
  readonly consuming: Link;
  /** The connection that requests come over, and their replies go. */
  readonly answering: Link;
  readonly publisher: Publisher;
  readonly nameOnBroker: NameOnBroker;
  readonly logger: BrokerLogger;
  readonly observe: Observe;
}
