/** Where the journal, the lock and the record lie, below the root. */
export const RECORD_FOLDER: readonly string[] = ['.rubicon', 'artifacts']

/** What lies there, as problems name it: below the root, so that nobody reads in them where on the machine that is. */
export function formatRecordName(name: string): string {
  return [...RECORD_FOLDER, name].join('/')
}
