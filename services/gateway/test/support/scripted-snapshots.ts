import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import type { Broker, Subscription } from '@gleaner/broker';
import type { PackedPage, SnapshotCommand } from '@gleaner/contracts';

/** Returns a page as scrapers return it to be kept. */
export function packedPage(source: string): PackedPage {
  const packed = brotliCompressSync(source).toString('base64');
  return { kind: 'html', baseUrl: 'https://example.com/', source: packed };
}

/** Starts a worker on the real broker that answers with plain contents; a view is the page as it came. */
export async function startScriptedSnapshots(
  broker: Broker,
  commands: SnapshotCommand[] = [],
  untilReleased: (command: SnapshotCommand) => Promise<void> = async () => {},
): Promise<Subscription> {
  const subscription = broker.respond(
    'snapshots.commands',
    async ({ body }) => {
      commands.push(body);
      await untilReleased(body);
      return { content: brotliCompressSync(contentFor(body)).toString('base64') };
    },
    { concurrency: 10 },
  );
  await broker.whenReady(30_000);
  return subscription;
}

function contentFor({ page, task }: SnapshotCommand): string {
  if (task.type === 'view') return brotliDecompressSync(Buffer.from(page.source, 'base64')).toString();
  if (task.type === 'suggest') return '{"success":true,"candidates":[]}';
  return '{"success":true,"data":{"title":"A page"},"matches":{"title":[3]}}';
}
