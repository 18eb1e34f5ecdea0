/** A step of the schema. Once released it never changes: its checksum is kept in every store. */
export type SqliteMigration = {
  readonly number: number
  readonly name: string
  readonly sql: string
}
