/** How far an index has come, and the kinds of actions that it knows by then. */
import type { DatabaseSync } from 'node:sqlite'
import type { KnownKind } from './fold-entry.ts'

export type IndexPlace = { readonly leaf: number; readonly kinds: Map<string, KnownKind> }

export function readIndexPlace(database: DatabaseSync): IndexPlace {
  const leaf = Number(database.prepare('SELECT leaf FROM place').get()?.leaf ?? 0)
  const known = database.prepare('SELECT name, known FROM kind').all()
  return {
    leaf,
    kinds: new Map(known.map((row) => [String(row.name), parseKnownKind(String(row.known))])),
  }
}

/** As `IndexWriter` wrote it. */
function parseKnownKind(text: string): KnownKind {
  return JSON.parse(text) as KnownKind
}
