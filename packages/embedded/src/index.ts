export { startAmqpServer } from './amqp/start-amqp-server.ts';
export { startMongoServer } from './mongodb/start-mongo-server.ts';
