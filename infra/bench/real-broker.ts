import { connect } from 'node:net';

const DEFAULT_URL = 'amqp://guest:guest@127.0.0.1:5672';

/** Returns the RabbitMQ of AMQP_URL, or the one on the usual port of this machine; an empty list when none answers. */
export async function realBroker(): Promise<{ name: string; amqpUrl: string }[]> {
  const amqpUrl = process.env.AMQP_URL ?? DEFAULT_URL;
  const { hostname, port } = new URL(amqpUrl);
  return (await answers(hostname, Number(port || 5672))) ? [{ name: 'rabbitmq', amqpUrl }] : [];
}

function answers(host: string, port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect({ host, port, timeout: 2000 });
    const settle = (isThere: boolean) => {
      socket.destroy();
      done(isThere);
    };
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
    socket.once('timeout', () => settle(false));
  });
}
