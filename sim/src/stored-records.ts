/** What the tables hold, as those who judge a storm look at it. */
import { groupName, type Tables } from '../../runtime/src/adapters/memory/tables.ts'
import { STATE_GROUP } from '../../runtime/src/engine/context/observed-state.ts'
import type { RecordBodies, RecordKind, StoredRecord } from '../../runtime/src/ports/record.ts'
import type { DriftOptions } from './audit/drift.ts'

export function listOpenGenerations(tables: Tables): readonly RecordBodies['generation'][] {
  return listRecords(tables, 'generation').map(({ body }) => body)
}

/** The requests to models that are about this. */
export function findAskedGenerations(tables: Tables, question: string): readonly string[] {
  return listRecords(tables, 'generation_text').flatMap(({ key, body }) =>
    body.request.includes(`"${question} `) ? [key] : [],
  )
}

export function listRecords<K extends RecordKind>(
  { records }: Tables,
  record: K,
): readonly StoredRecord<K>[] {
  const prefix = groupName({ record, group: '' })
  // A group holds records of one kind, which is in its name.
  return [...records].flatMap(([name, group]) =>
    name.startsWith(prefix) ? ([...group.values()] as StoredRecord<K>[]) : [],
  )
}

/** An operator's word, until its end; then what the owner said since. */
export function findLastWord(
  { records }: Tables,
  path: string,
  at = '',
): ReturnType<DriftOptions['lastWord']> {
  const found = records.get(groupName({ record: 'observation', group: STATE_GROUP }))?.get(path)
  if (found === undefined || !('operator' in found.body)) return undefined
  const { said, operator } = found.body as RecordBodies['observation']
  const isOver = operator === null || at >= operator.until
  const word = isOver ? (said ?? operator) : operator
  if (word === null) return undefined
  const { value, observed_at } = word
  return { value, observed_at, version: found.version }
}
