/** Names a data file that cannot be used, and what can be done about it. */
export class DamagedFileError extends Error {
  override readonly name = 'DamagedFileError';

  constructor(path: string, problem: string, remedy: string, options?: ErrorOptions) {
    super(`The file ${path} is damaged: ${problem}. ${remedy}`, options);
  }
}
