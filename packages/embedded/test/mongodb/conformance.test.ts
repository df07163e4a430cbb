import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { startMongoServer } from '../../src/index.ts';
import { describeMongoConformance } from './describe-mongo-conformance.ts';

describe('the embedded server', () => {
  let folder: string;
  let server: Awaited<ReturnType<typeof startMongoServer>>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gleaner-mongodb-'));
    server = await startMongoServer({ dataDir: folder });
  });

  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  describeMongoConformance(() => server.uri);
});

const realUri = process.env.MONGODB_URI;
if (realUri !== undefined) {
  describe('the MongoDB at MONGODB_URI', () => {
    describeMongoConformance(() => realUri);
  });
}
