import { type Binary, Long, MaxKey, MinKey } from 'bson';
import { BsonType, type Doc, isDocument, isNumeric, typeOf } from '../bson/bson-types.ts';
import { areEqual, binaryParts, compareValues, regexText, typeRank } from '../bson/compare-values.ts';
import { toDouble } from '../bson/numeric-order.ts';
import { commandError } from '../errors/command-error.ts';
import { MISSING } from '../paths/match-path.ts';
import { compileRegex } from './compile-regex.ts';
import { isRegex } from './parse-filter.ts';

/** A test of the value at the end of a path: a BSON value or MISSING. */
export type ValueTest = (value: unknown) => boolean;

type Predicate = (operand: unknown, compileElement: (criteria: Doc) => ValueTest) => ValueTest;

/** Query operators on a field, by name; negations are made from these by the parser. */
export const PREDICATES: Readonly<Record<string, Predicate>> = {
  $eq: (operand) => orElement(equals(operand)),
  $in: (operand) => orElement(isIn(operand)),
  $gt: (operand) => orElement(inOrder(operand, (order) => order > 0)),
  $gte: (operand) => orElement(inOrder(operand, (order) => order >= 0)),
  $lt: (operand) => orElement(inOrder(operand, (order) => order < 0)),
  $lte: (operand) => orElement(inOrder(operand, (order) => order <= 0)),
  $exists: () => (value) => value !== MISSING,
  $type: (operand) => orElement(isOfType(operand)),
  $mod: (operand) => orElement(hasRemainder(operand)),
  $regex: (operand) => orElement(fitsRegex(operand)),
  $size: (operand) => hasSize(operand),
  $elemMatch: (operand, compileElement) => hasElement(operand, compileElement),
  $bitsAllSet: (operand) => orElement(bits(operand, (value, mask) => (value & mask) === mask)),
  $bitsAllClear: (operand) => orElement(bits(operand, (value, mask) => (value & mask) === 0n)),
  $bitsAnySet: (operand) => orElement(bits(operand, (value, mask) => (value & mask) !== 0n)),
  $bitsAnyClear: (operand) => orElement(bits(operand, (value, mask) => (value & mask) !== mask)),
};

/** A test that an array passes as a whole or by one of its elements. */
function orElement(test: ValueTest): ValueTest {
  return (value) => test(value) || (Array.isArray(value) && value.some(test));
}

function equals(operand: unknown): ValueTest {
  if (operand === null || operand === undefined) {
    return (value) => value === MISSING || value === null || value === undefined;
  }
  return (value) => value !== MISSING && areEqual(value, operand);
}

/** Only values of the operand's type compare ("type bracketing"), except against MinKey and MaxKey. */
function inOrder(operand: unknown, accepts: (order: number) => boolean): ValueTest {
  if (isRegex(operand)) throw commandError('BadValue', "Can't have RegEx as arg to predicate over field.");
  if (operand === null || operand === undefined) return accepts(0) ? equals(null) : () => false;
  if (operand instanceof MinKey || operand instanceof MaxKey) {
    return (value) => accepts(compareValues(value === MISSING ? null : value, operand));
  }
  const rank = typeRank(operand);
  const isNan = isNumeric(operand) && Number.isNaN(toDouble(operand));
  return (value) => {
    if (value === MISSING || typeRank(value) !== rank) return false;
    const order = compareValues(value, operand);
    const isAcrossNan = order !== 0 && isNumeric(value) && (isNan || Number.isNaN(toDouble(value)));
    return !isAcrossNan && accepts(order);
  };
}

function isIn(operand: unknown): ValueTest {
  if (!Array.isArray(operand)) throw commandError('BadValue', '$in needs an array');
  const isOperator = (value: unknown) => isDocument(value) && Object.keys(value)[0]?.startsWith('$') === true;
  if (operand.some((value) => isOperator(value) && !('$ref' in (value as Doc)))) {
    throw commandError('BadValue', 'cannot nest $ under $in');
  }
  const strings = new Set(operand.filter((value) => typeof value === 'string'));
  const tests = operand
    .filter((value) => typeof value !== 'string')
    .map((value) => (isRegex(value) ? fitsRegex(value) : equals(value)));
  return (value) => (typeof value === 'string' && strings.has(value)) || tests.some((test) => test(value));
}

function fitsRegex(operand: unknown): ValueTest {
  const regex = compileRegex(operand);
  return (value) => {
    if (typeof value === 'string') return regex.test(value);
    return isRegex(value) && isRegex(operand) && regexText(value) === regexText(operand);
  };
}

const TYPE_ALIASES: Readonly<Record<string, readonly number[]>> = {
  ...Object.fromEntries(Object.entries(BsonType).map(([name, type]) => [name, [type]])),
  number: [BsonType.int, BsonType.long, BsonType.double, BsonType.decimal],
};

function isOfType(operand: unknown): ValueTest {
  const types = new Set((Array.isArray(operand) ? operand : [operand]).flatMap(typesOf));
  return (value) => value !== MISSING && types.has(typeOf(value));
}

function typesOf(name: unknown): readonly number[] {
  if (typeof name === 'string') {
    const types = TYPE_ALIASES[name];
    if (types === undefined) throw commandError('BadValue', `Unknown type name alias: ${name}`);
    return types;
  }
  const code = isNumeric(name) ? toDouble(name) : Number.NaN;
  if (Object.values<number>(BsonType).includes(code) || code === 255) return [code === 255 ? -1 : code];
  throw commandError('BadValue', `Invalid numerical type code: ${String(name)}`);
}

function hasRemainder(operand: unknown): ValueTest {
  if (!Array.isArray(operand)) throw commandError('BadValue', 'malformed mod, needs to be an array');
  if (operand.length !== 2) {
    const fault = operand.length < 2 ? 'not enough elements' : 'too many elements';
    throw commandError('BadValue', `malformed mod, ${fault}`);
  }
  const [divisor, remainder] = operand.map((value) => {
    if (!isNumeric(value)) throw commandError('BadValue', 'malformed mod, divisor or remainder not a number');
    return toInteger(value);
  }) as [bigint, bigint];
  if (divisor === 0n) throw commandError('BadValue', 'divisor cannot be 0');
  return (value) =>
    isNumeric(value) && Number.isFinite(toDouble(value)) && toInteger(value) % divisor === remainder;
}

function toInteger(value: unknown): bigint {
  return value instanceof Long ? value.toBigInt() : BigInt(Math.trunc(toDouble(value)));
}

function hasSize(operand: unknown): ValueTest {
  const size = isNumeric(operand) ? toDouble(operand) : Number.NaN;
  if (!Number.isInteger(size)) {
    throw commandError('FailedToParse', 'Failed to parse $size. Expected an integer');
  }
  if (size < 0) throw commandError('FailedToParse', 'Failed to parse $size. Expected a non-negative number');
  return (value) => Array.isArray(value) && value.length === size;
}

function hasElement(operand: unknown, compileElement: (criteria: Doc) => ValueTest): ValueTest {
  if (!isDocument(operand)) throw commandError('BadValue', '$elemMatch needs an Object');
  const test = compileElement(operand);
  return (value) => Array.isArray(value) && value.some(test);
}

function bits(operand: unknown, accepts: (value: bigint, mask: bigint) => boolean): ValueTest {
  const mask = bitMask(operand);
  return (value) => {
    if (typeOf(value) === BsonType.binData) return accepts(littleEndian(value), mask);
    if (!isNumeric(value) || !Number.isInteger(toDouble(value))) return false;
    return accepts(BigInt.asUintN(64, toInteger(value)), mask);
  };
}

function bitMask(operand: unknown): bigint {
  if (Array.isArray(operand)) {
    return operand.reduce((mask: bigint, position) => mask | (1n << BigInt(bitPosition(position))), 0n);
  }
  if (typeOf(operand) === BsonType.binData) return littleEndian(operand);
  const isMask = isNumeric(operand) && Number.isInteger(toDouble(operand)) && toDouble(operand) >= 0;
  if (!isMask)
    throw commandError('BadValue', 'a bit mask must be a non-negative integer, positions or BinData');
  return toInteger(operand);
}

function bitPosition(value: unknown): number {
  const position = isNumeric(value) ? toDouble(value) : Number.NaN;
  if (Number.isInteger(position) && position >= 0) return position;
  throw commandError('BadValue', 'bit positions must be integers >= 0');
}

function littleEndian(value: unknown): bigint {
  const { bytes } = binaryParts(value as Binary);
  return bytes.length === 0 ? 0n : BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
}
