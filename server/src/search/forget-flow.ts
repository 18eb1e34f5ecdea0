/** Takes out of the index what the payloads of a flow said. Afterwards it holds what an index holds that is made after the erasure. */
import type { DatabaseSync } from 'node:sqlite'
import { addWords } from './flow-words.ts'

export function forgetFlowRows(database: DatabaseSync, dfid: string): void {
  const flow = database.prepare('SELECT id, agent FROM flow WHERE dfid = ?').get(dfid)
  if (flow === undefined) return
  const id = Number(flow.id)
  for (const sql of [
    'UPDATE flow SET kind = NULL, object = NULL, amount = NULL, measure = NULL, outcome = NULL, reason = NULL WHERE id = ?',
    'DELETE FROM decision WHERE flow = ?',
    'UPDATE execution SET object = NULL, amount = NULL, measure = NULL WHERE flow = ?',
    'UPDATE escalation SET kind = NULL, object = NULL, amount = NULL, measure = NULL WHERE flow = ?',
    'UPDATE entry SET reason = NULL WHERE flow = ?',
    'DELETE FROM words WHERE rowid = ?',
  ])
    database.prepare(sql).run(id)
  database.prepare("DELETE FROM happening WHERE dfid = ? AND what <> 'erased'").run(dfid)
  // It is still found by its name, and by that of its agent.
  const words = addWords('', [dfid, String(flow.agent)])
  database.prepare('INSERT INTO words (rowid, said) VALUES (?, ?)').run(id, words)
}
