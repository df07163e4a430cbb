import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import mongoose, { type Connection, Schema } from 'mongoose';
import type { TestBed } from '../describe-mongo-conformance.ts';

/** Commands that mongoose sends by itself. */
export function describeMongoose(bed: () => TestBed): void {
  describe('mongoose', () => {
    let connection: Connection;

    beforeAll(async () => {
      const { database, uri } = bed();
      connection = await mongoose.createConnection(uri, { dbName: database.databaseName }).asPromise();
    });

    afterAll(async () => {
      await connection.close();
    });

    it('builds its indexes, validates uniqueness, versions and timestamps', async () => {
      const schema = new Schema(
        { email: { type: String, unique: true }, list: [{ n: Number }], map: { type: Map, of: Number } },
        { timestamps: true, optimisticConcurrency: true, autoCreate: false },
      );
      const User = connection.model('User', schema);
      await User.init();
      const user = await User.create({ email: 'a@b', list: [{ n: 1 }], map: { x: 1 } });
      await expect(User.create({ email: 'a@b' })).rejects.toMatchObject({
        code: 11000,
        keyValue: { email: 'a@b' },
      });
      const stale = await User.findById(user._id).orFail();
      user.list.push({ n: 2 });
      await user.save();
      stale.list.push({ n: 3 });
      await expect(stale.save()).rejects.toMatchObject({ name: 'VersionError' });
      expect(await User.findOne({ email: 'a@b' }).lean()).toMatchObject({
        list: [{ n: 1 }, { n: 2 }],
        map: { x: 1 },
        __v: 1,
      });
    });

    it('populates, iterates by cursor and writes in bulk', async () => {
      const Team = connection.model('Team', new Schema({ name: String }));
      const Player = connection.model(
        'Player',
        new Schema({ n: Number, team: { type: Schema.Types.ObjectId, ref: 'Team' } }),
      );
      const team = await Team.create({ name: 'reds' });
      await Player.insertMany(Array.from({ length: 120 }, (_, n) => ({ n, team: team._id })));
      expect(await Player.findOne({ n: 3 }).populate('team').lean()).toMatchObject({
        team: { name: 'reds' },
      });
      let sum = 0;
      for await (const { n } of Player.find().cursor({ batchSize: 11 })) sum += n ?? 0;
      expect(sum).toBe((119 * 120) / 2);
      const players = await Player.find({ n: { $lt: 2 } });
      for (const player of players) player.n = 500;
      await Player.bulkSave(players);
      expect(await Player.countDocuments({ n: 500 })).toBe(2);
      expect(await Player.exists({ n: 501 })).toBeNull();
    });
  });
}
