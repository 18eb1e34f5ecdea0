/**
 * Of entries that are read from a store: did anybody sign that these are they? A checkpoint is made every
 * few seconds and covers what was there then; for what came behind it stands the head of the tree, which is
 * signed with every transaction. Commits and refusals carry no signature of their own: without either,
 * whoever can write to the store could have written them.
 */
import { decodeBase64, encodeBase64, findCertifiedProblem, parseHeadText } from 'rubicon-kernel'
import type { Audit } from '../audit.ts'
import type { Problem } from '../report/report.ts'
import type { Tree } from './tree.ts'
import type { Trust } from './trust.ts'
import { type CheckedCheckpoint, logOrigin } from './verify-checkpoint.ts'

export type Covered = {
  /** The newest head of the tree, as the store has it. */
  readonly head: string | undefined
  readonly checked: CheckedCheckpoint | undefined
  readonly tenant: string
  readonly epoch: number
  readonly trust: Trust | undefined
}

/** Asked where somebody is to trust them. */
export function findUncoveredProblems(
  audit: Audit,
  tree: Tree,
  covered: Covered,
): readonly Problem[] {
  const { trust, checked } = covered
  const size = tree.size()
  const notes = [
    checked?.problems.length === 0 ? checked.checkpoint : null,
    trust?.kind === 'checkpoint' ? trust.checkpoint : null,
  ]
  if (trust === undefined || notes.some((note) => note?.size === size)) return []
  const problem = findHeadProblem(audit, tree, covered)
  if (problem === undefined) return []
  const detail = `no checkpoint covers all ${size} entries, and their signed head is not valid: ${problem}`
  return [{ code: 'TRUST_MISMATCH', detail }]
}

function findHeadProblem(
  { ring, crypto }: Audit,
  tree: Tree,
  { head: text, tenant, epoch }: Covered,
): string | undefined {
  if (text === undefined) return 'there is none'
  const head = parseHeadText(text)
  if (head === undefined) return 'it cannot be read'
  const { keys } = ring
  const origin = logOrigin({ tenant, epoch, keys })
  const problem = findCertifiedProblem('head', head, {
    origin,
    // One that was retired certified in its time; with a compromised one anybody can.
    checkpointKey: (id) => {
      const key = keys
        .records()
        .find(({ key_id, purpose }) => key_id === id && purpose === 'checkpoint')
      if (key === undefined || key.compromised_since_seq !== undefined) return undefined
      return decodeBase64(key.public_key)
    },
    verify: (key, message, signature) => crypto.verifyEd25519(key, message, signature),
    sha256: crypto.sha256,
  })
  if (problem !== undefined) return problem
  // Where authority ends follows from the entries, which were read.
  if (head.body.size !== tree.size()) return `it covers ${head.body.size} entries`
  return head.body.root === encodeBase64(tree.root()) ? undefined : 'it covers another tree'
}
