/** The properties of an object, with possibly undefined ones as optional. */
export type Defined<Properties> = {
  [Name in keyof Properties as undefined extends Properties[Name] ? never : Name]: Properties[Name];
} & {
  [Name in keyof Properties as undefined extends Properties[Name] ? Name : never]?: Exclude<
    Properties[Name],
    undefined
  >;
};

/** Returns the properties of an object without undefined ones: `{ ...defined({ title }) }`. */
export function defined<const Properties extends object>(properties: Properties): Defined<Properties> {
  const kept: Record<string, unknown> = {};
  for (const name in properties) {
    if (properties[name] !== undefined) kept[name] = properties[name];
  }
  return kept as Defined<Properties>;
}
