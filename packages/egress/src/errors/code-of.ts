/** The `code` that node's errors carry; '' for everything else. Read by its shape, as errors cross realms. */
export function codeOf(thrown: unknown): string {
  const code = typeof thrown === 'object' && thrown !== null && 'code' in thrown ? thrown.code : undefined;
  return typeof code === 'string' ? code : '';
}
