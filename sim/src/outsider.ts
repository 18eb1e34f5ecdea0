/**
 * I20: somebody who has the entries and nothing else finds nothing in them. What the engine wrote passes
 * the verifier and the law, whatever befell it while it wrote.
 */
import type { JsonObject, Writ } from 'rubicon-kernel'
import { nodeCrypto, verifyStored } from 'rubicon-verifier'
import { sha256 } from '../../runtime/src/adapters/system/sha256.ts'
import { LawJudge } from '../../runtime/src/evidence/law/judge-law.ts'
import type { LeafEntry } from '../../runtime/src/ports/store.ts'
import type { Report } from './audit/report.ts'

export function lookFromOutside(entries: readonly LeafEntry[], report: Report): void {
  const { findings } = verifyStored(entries, nodeCrypto, { depth: 'fold' })
  for (const { leaf, code, detail } of findings) report('I20', `${leaf}: ${code}, ${detail}`)
  const law = judgeByLaw(entries)
  for (const { leaf, code, detail } of law.findings) report('I20', `${leaf}: ${code}, ${detail}`)
  // What stands on the writ of a flow above it, which was erased, is out of its reach.
  const isErased = entries.some((one) => one.envelope.kind === 'writ' && one.payload === null)
  for (const why of Object.keys(law.unjudged))
    if (!isErased || !why.endsWith('was erased')) report('I20', `the law cannot judge: ${why}`)
}

function judgeByLaw(entries: readonly LeafEntry[]): ReturnType<LawJudge['report']> {
  const judge = new LawJudge(sha256)
  const writs = new Map<string, Writ>()
  for (const { id, envelope, payload: text, leaf } of entries) {
    const payload = text === null ? null : (JSON.parse(text) as JsonObject)
    const writ = envelope.kind === 'writ' ? (payload?.writ as Writ | undefined) : undefined
    if (writ !== undefined) writs.set(writ.id, writ)
    judge.see(leaf, { id, envelope, payload }, (fact) => writs.get(fact.id))
  }
  return judge.report()
}
