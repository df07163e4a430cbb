import { type Column, type Draft, newColumn, type RecordList, readTyped, type Selectors } from './draft.ts';

/** Returns the draft of selectors that another view hands over. Those that the editor has no fields for stay as they are. */
export function draftFrom(selectors: Selectors): Draft {
  const values: Column[] = [];
  const others: Selectors = {};
  let list: RecordList | undefined;
  for (const [name, selector] of Object.entries(selectors)) {
    const value = columnFrom(name, selector);
    const records = list ? undefined : listFrom(name, selector);
    if (value) values.push(value);
    else if (records) list = records;
    else others[name] = selector;
  }
  return { values, ...(list && { list }), ...(Object.keys(others).length > 0 && { others }) };
}

function columnFrom(name: string, selector: Selectors[string]): Column | undefined {
  const { selector: text, type = '', ...more } = typeof selector === 'string' ? { selector } : selector;
  if (text === undefined || /::all\s*$/.test(text) || Object.keys(more).length > 0) return undefined;
  return newColumn({ name, type, ...readTyped(text) });
}

function listFrom(name: string, given: Selectors[string]): RecordList | undefined {
  if (typeof given === 'string') return undefined;
  const { selector, all, fields, ...more } = given;
  if (selector === undefined || !all || !fields || Object.keys(more).length > 0) return undefined;
  const columns = Object.entries(fields).map(([field, each]) => columnFrom(field, each));
  const known = columns.filter((column) => column !== undefined);
  return known.length === columns.length ? { name, selector, columns: known, isEdited: true } : undefined;
}
