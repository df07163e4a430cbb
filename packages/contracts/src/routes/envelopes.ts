import type { Static, TProperties, TSchema } from 'typebox';
import { Type } from '../type.ts';

/** The part of a list that was returned. */
export const PaginationSchema = Type.Object(
  {
    limit: Type.Integer(),
    offset: Type.Integer(),
    total: Type.Integer({ description: 'Number of all entries.' }),
    hasMore: Type.Boolean(),
  },
  { additionalProperties: false },
);
export type Pagination = Static<typeof PaginationSchema>;

/** `{success: true, …payload}`. */
export function succeeded<Payload extends TProperties>(payload: Payload) {
  return Type.Object({ success: Type.Literal(true), ...payload }, { additionalProperties: false });
}

/** `{success: true, <name>: […], pagination}`, newest first. */
export function paginated<Name extends string, Item extends TSchema>(name: Name, item: Item) {
  const list = { [name]: Type.Array(item) } as { [Key in Name]: ReturnType<typeof Type.Array<Item>> };
  return succeeded({ ...list, pagination: PaginationSchema });
}
