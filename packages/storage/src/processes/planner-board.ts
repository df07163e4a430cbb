import { WRITE_CONCERNS } from '../database/connection-options.ts';
import { isDuplicateKey } from '../database/translate-error.ts';
import { type DriverCollection, documentSchema } from '../document-schema.ts';

/** Document by which the planners tell each other about their work; there is one. */
export interface BoardDocument {
  readonly _id: string;
  /** Number of planners. */
  readonly planners: number;
  /** Number of changes so far. */
  readonly version: number;
  /** Part of each planner, as JSON; empty before its first one. */
  readonly parts: readonly string[];
}

export const boardSchema = documentSchema<BoardDocument>({
  _id: { type: String, required: true },
  planners: { type: Number, required: true },
  version: { type: Number, required: true },
  parts: [String],
});

/** The parts of all planners at one version. */
export type Board = Pick<BoardDocument, 'version' | 'parts'>;

/** A planner's new part. */
export interface BoardChange {
  readonly planners: number;
  readonly planner: number;
  /** Version that the change is made from. */
  readonly version: number;
  readonly part: string;
}

const ID = 'dispatch';

/** Store of the document of the planners; each changes its own part, from a version that it has read. */
export class PlannerBoard {
  readonly #boards: DriverCollection<BoardDocument>;

  constructor(boards: DriverCollection<BoardDocument>) {
    this.#boards = boards;
  }

  /** Returns the parts of so many planners; all are empty where another number of planners was at work before. */
  async readBoard(planners: number): Promise<Board> {
    const found = await this.#boards.findOne({ _id: ID });
    if (found?.planners === planners) return found;
    const parts = Array.from({ length: planners }, () => '');
    const version = (found?.version ?? 0) + 1;
    const board = { planners, version, parts };
    try {
      // The version is part of the filter, so another process that resets it first makes this an insert, which fails.
      await this.#boards.updateOne(
        { _id: ID, version: version - 1 },
        { $set: board },
        { upsert: true, writeConcern: WRITE_CONCERNS.durable },
      );
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      const other = await this.#boards.findOne({ _id: ID, planners });
      if (!other) throw error;
      return other;
    }
    return board;
  }

  /** Writes the part of a planner; returns the board after that, or null if it has changed since it was read. */
  async writePart({ planners, planner, version, part }: BoardChange): Promise<Board | null> {
    return await this.#boards.findOneAndUpdate(
      { _id: ID, planners, version },
      { $set: { [`parts.${planner}`]: part }, $inc: { version: 1 } },
      { returnDocument: 'after', writeConcern: WRITE_CONCERNS.durable },
    );
  }
}
