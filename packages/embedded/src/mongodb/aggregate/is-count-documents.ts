import { isDocument } from '../bson/bson-types.ts';

/** Whether a stage is what drivers make of countDocuments: `{$group: {_id: 1, n: {$sum: 1}}}`. */
export function isCountDocuments(stage: unknown): boolean {
  if (!isDocument(stage) || !isDocument(stage.$group)) return false;
  const { _id, n, ...others } = stage.$group;
  const isOneEach = isDocument(n) && n.$sum === 1 && Object.keys(n).length === 1;
  return _id === 1 && isOneEach && Object.keys(others).length === 0 && Object.keys(stage).length === 1;
}
