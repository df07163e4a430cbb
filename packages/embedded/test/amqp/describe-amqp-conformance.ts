import { describe } from '@jest/globals';
import { connectionTests } from './conformance/connections.ts';
import { consumingTests } from './conformance/consuming.ts';
import { exchangeTests } from './conformance/exchanges.ts';
import { limitTests } from './conformance/limits.ts';
import { publishingTests } from './conformance/publishing.ts';
import { queueTests } from './conformance/queues.ts';
import { replyToTests } from './conformance/reply-to.ts';
import { createFixture, type Fixture } from './fixture.ts';

/** The parts of the suite, by what they are about. */
const PARTS: Readonly<Record<string, (fixture: Fixture) => void>> = {
  connections: connectionTests,
  exchanges: exchangeTests,
  queues: queueTests,
  publishing: publishingTests,
  consuming: consumingTests,
  limits: limitTests,
  'direct reply-to': replyToTests,
};

/** Declares the suite for every AMQP broker that our services may use. */
export function describeAmqpConformance(name: string, getUrl: () => string): void {
  describe(`AMQP 0-9-1 on ${name}`, () => {
    const fixture = createFixture(getUrl);
    for (const [part, declareTests] of Object.entries(PARTS)) describe(part, () => declareTests(fixture));
  });
}
