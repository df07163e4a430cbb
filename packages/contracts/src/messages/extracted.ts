import type { Static } from 'typebox';
import { endOfString } from '../async/parse-in-turns.ts';
import { Type } from '../type.ts';

/** The extracted parts of a page as JSON texts, which no service on the way to the caller needs to parse. */
export const EXTRACTED_PROPERTIES = {
  /** The data; absent when only formats were requested. */
  dataJson: Type.Optional(Type.String()),
  /** The formats as one object; absent when none were requested. */
  formatsJson: Type.Optional(Type.String()),
  /** The captured responses as one object; absent when none were asked for. */
  capturedJson: Type.Optional(Type.String()),
};

const ExtractedSchema = Type.Object(EXTRACTED_PROPERTIES);
export type Extracted = Static<typeof ExtractedSchema>;

/** Returns the number of characters of what was extracted. */
export function lengthOfExtracted({ dataJson = '', formatsJson = '', capturedJson = '' }: Extracted): number {
  return dataJson.length + formatsJson.length + capturedJson.length;
}

/** Writes a JSON object: the members of one object, `data`, `formats` and `captured`, and those of another; neither may be empty. */
export function renderExtracted(
  { dataJson, formatsJson, capturedJson }: Extracted,
  first: object,
  rest: object,
): string {
  const members = [
    JSON.stringify(first).slice(1, -1),
    ...(dataJson === undefined ? [] : [`"data":${dataJson}`]),
    ...(formatsJson === undefined ? [] : [`"formats":${formatsJson}`]),
    ...(capturedJson === undefined ? [] : [`"captured":${capturedJson}`]),
    JSON.stringify(rest).slice(1, -1),
  ];
  return `{${members.join(',')}}`;
}

/** Returns the texts of the members of a JSON object without white space, by their names; it parses none of them. */
export function membersOf(json: string): ReadonlyMap<string, string> {
  const members = new Map<string, string>();
  let depth = 0;
  let from = 1;
  let name: string | undefined;
  for (let index = 1; index < json.length; index += 1) {
    const character = json[index];
    if (character === '"') {
      index = endOfString(json, index);
      if (name === undefined) {
        name = JSON.parse(json.slice(from, index + 1)) as string;
        from = index + 2;
      }
    } else if (character === '{' || character === '[') depth += 1;
    else if (depth > 0) depth -= Number(character === '}' || character === ']');
    else if ((character === ',' || character === '}') && name !== undefined) {
      members.set(name, json.slice(from, index));
      name = undefined;
      from = index + 1;
    }
  }
  return members;
}
