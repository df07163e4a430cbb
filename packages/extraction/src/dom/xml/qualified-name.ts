/** A name taken apart at its colon; without one, or with several, all of it is the local name. */
export interface QualifiedName {
  readonly prefix: string;
  readonly local: string;
}

/** Takes `prefix:local` apart. Namespaces in XML 1.0 §4. */
export function splitName(name: string): QualifiedName {
  const colon = name.indexOf(':');
  const isPlain = colon <= 0 || colon === name.length - 1 || name.includes(':', colon + 1);
  return isPlain
    ? { prefix: '', local: name }
    : { prefix: name.slice(0, colon), local: name.slice(colon + 1) };
}
