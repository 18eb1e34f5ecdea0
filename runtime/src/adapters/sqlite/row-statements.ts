/** Statements over one row; all names are constants of this adapter. */
export function move(table: string, columns: readonly string[], key: readonly string[]): string {
  const set = columns.map((name) => `${name} = ?`).join(', ')
  return `UPDATE ${table} SET ${set} WHERE ${key.map((name) => `${name} = ?`).join(' AND ')}`
}

export function put(table: string, columns: readonly string[], key: readonly string[]): string {
  const all = [...columns, ...key]
  const set = columns.map((name) => `${name} = excluded.${name}`).join(', ')
  return `INSERT INTO ${table} (${all.join(', ')}) VALUES (${all.map(() => '?').join(', ')})
    ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${set}`
}
