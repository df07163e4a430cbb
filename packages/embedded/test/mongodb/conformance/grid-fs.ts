import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { describe, expect, it } from '@jest/globals';
import { GridFSBucket, ObjectId } from 'mongodb';
import type { TestBed } from '../describe-mongo-conformance.ts';

/** GridFS through the driver: https://www.mongodb.com/docs/manual/core/gridfs/ */
export function describeGridFs(bed: () => TestBed): void {
  describe('GridFS', () => {
    it('stores a file in chunks, streams it back whole and in part, and deletes it', async () => {
      const bucket = new GridFSBucket(bed().database, { bucketName: 'files', chunkSizeBytes: 100_000 });
      const bytes = randomBytes(1_234_567);
      const upload = bucket.openUploadStream('shot.png', { metadata: { kind: 'screenshot' } });
      await pipeline(Readable.from([bytes]), upload);
      expect(await bucket.find({ filename: 'shot.png' }).toArray()).toMatchObject([
        { length: bytes.length, metadata: { kind: 'screenshot' } },
      ]);
      expect((await buffer(bucket.openDownloadStream(upload.id))).equals(bytes)).toBe(true);
      const part = await buffer(bucket.openDownloadStream(upload.id, { start: 99_990, end: 300_010 }));
      expect(part.equals(bytes.subarray(99_990, 300_010))).toBe(true);
      await bucket.delete(upload.id);
      expect(await bed().database.collection('files.chunks').countDocuments()).toBe(0);
    });

    it('keeps one file of an id when several are uploaded under it', async () => {
      const bucket = new GridFSBucket(bed().database, { bucketName: 'once', chunkSizeBytes: 1000 });
      const id = new ObjectId();
      const upload = (bytes: Buffer) => pipeline([bytes], bucket.openUploadStreamWithId(id, 'shot.png'));
      const first = randomBytes(2500);
      await upload(first);
      await expect(upload(randomBytes(2500))).rejects.toMatchObject({ code: 11000 });
      expect((await buffer(bucket.openDownloadStream(id))).equals(first)).toBe(true);
    });

    it('removes the chunks of an upload that was cut off, and says that there was no file', async () => {
      const bucket = new GridFSBucket(bed().database, { bucketName: 'cut', chunkSizeBytes: 1000 });
      const upload = bucket.openUploadStream('shot.png');
      await new Promise<void>((resolve, reject) =>
        upload.write(randomBytes(2500), (fault) => (fault ? reject(fault) : resolve())),
      );
      const chunks = bed().database.collection('cut.chunks');
      expect(await chunks.countDocuments({ files_id: upload.id })).toBe(2);
      await expect(buffer(bucket.openDownloadStream(upload.id))).rejects.toThrow('FileNotFound');
      await expect(bucket.delete(upload.id)).rejects.toThrow('File not found');
      expect(await chunks.countDocuments()).toBe(0);
    });
  });
}
