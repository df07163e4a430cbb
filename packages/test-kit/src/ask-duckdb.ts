/** Answer of DuckDB: the types of the columns by name, and the rows as JSON. */
export interface DuckDbAnswer {
  readonly types: Readonly<Record<string, string>>;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** Asks DuckDB, a reader of Parquet that is not ours; times are in UTC. */
export async function askDuckDb(sql: string): Promise<DuckDbAnswer> {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    await connection.run("SET TimeZone = 'UTC'");
    const reader = await connection.runAndReadAll(sql);
    const types = reader.columnTypes().map(String);
    return {
      types: Object.fromEntries(reader.columnNames().map((name, index) => [name, types[index] ?? ''])),
      rows: reader.getRowObjectsJson() as DuckDbAnswer['rows'],
    };
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
