import { statSync } from 'node:fs'
import type { KnownPerson } from './people.ts'
import { readPeople } from './people-file.ts'

/**
 * Who may ask now: the file is read again once it is another one, so that a token that was replaced
 * ends at once. While it is gone or cannot be read, nobody counts.
 */
export function createPeopleReader(path: string): () => readonly KnownPerson[] {
  let seen: string | null = null
  let people: readonly KnownPerson[] = []
  return () => {
    const now = readFileStamp(path)
    if (now === seen) return people
    const read = readPeople(path)
    people = read.ok ? read.value : []
    // What could not be read now may be read at the next look, as the same file.
    seen = read.ok ? now : null
    return people
  }
}

/** It is renamed into its place: another writing is another file. */
function readFileStamp(path: string): string | null {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stat === undefined ? null : `${stat.ino} ${stat.mtimeNs} ${stat.size}`
}
