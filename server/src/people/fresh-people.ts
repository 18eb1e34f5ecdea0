import { statSync } from 'node:fs'
import type { Failure, Result } from 'rubicon-kernel'
import type { KnownPerson } from './people.ts'
import { readPeople } from './people-file.ts'

/** Who may ask now, as the file says. */
export function createPeopleReader(path: string): () => readonly KnownPerson[] {
  return createFileReader(path, readPeople)
}

/**
 * What a file lists now: it is read again once it is another one, so that a token that was replaced
 * ends at once. While it is gone or cannot be read, nobody counts.
 */
export function createFileReader<Row>(
  path: string,
  readRows: (path: string) => Result<readonly Row[], Failure>,
): () => readonly Row[] {
  let seen: string | null = null
  let rows: readonly Row[] = []
  return () => {
    const now = readFileStamp(path)
    if (now === seen) return rows
    const read = readRows(path)
    rows = read.ok ? read.value : []
    // What could not be read now may be read at the next look, as the same file.
    seen = read.ok ? now : null
    return rows
  }
}

/** It is renamed into its place: another writing is another file. */
function readFileStamp(path: string): string | null {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stat === undefined ? null : `${stat.ino} ${stat.mtimeNs} ${stat.size}`
}
