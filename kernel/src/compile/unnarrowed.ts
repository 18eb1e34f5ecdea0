/**
 * A decision about an instance as it would be without its narrowing: what would the contract of its
 * class have said of the same proposal, on the same facts? It decides nothing; it tells whose doing
 * a refusal or a question is.
 */
import type { Contract } from '../contract/contract.ts'
import { attenuateWrit } from '../writ/attenuate.ts'
import { buildWritBody } from '../writ/issue.ts'
import type { Writ, WritBody } from '../writ/writ.ts'
import { computeWritId } from '../writ/writ-id.ts'
import { type CompileInput, toAddressed } from './input.ts'

/** Unchanged where the leaf of the chain cannot be made wider. */
export function removeNarrowing(input: CompileInput, ofClass: Contract): CompileInput {
  const { facts, proposal, rules, writs } = input
  const [leaf, ...above] = writs
  const contract: Contract = {
    ...ofClass,
    agent_id: proposal.agent_id,
    instance_of: ofClass.agent_id,
  }
  const body = leaf === undefined ? null : widenBody(contract, leaf.body, above[0])
  if (leaf === undefined || body === null) return { ...input, contract }
  const id = computeWritId(body, rules.sha256)
  const budgets = facts.value.budgets.map((row) => {
    const granted = body.budget[row.measure] ?? row.granted
    return row.writ === leaf.id ? { ...row, writ: id, granted } : row
  })
  const links = facts.value.writs.map((link, index) => (index === 0 ? { ...link, id } : link))
  const isNamed = proposal.writ_id === leaf.id
  return {
    ...input,
    contract,
    facts: toAddressed('facts', { ...facts.value, budgets, writs: links }, rules.sha256),
    proposal: isNamed ? { ...proposal, writ_id: id } : proposal,
    writs: [{ ...leaf, id, body }, ...above],
  }
}

/** What the contract grants, inside the writ above; null: nothing. What was shared out stays as it was. */
function widenBody(contract: Contract, leaf: WritBody, above: Writ | undefined): WritBody | null {
  const { tenant, audience, issuer_key, nonce, window, subject, subject_key } = leaf
  const now = window.not_before
  const own = buildWritBody(contract, { tenant, audience, issuer_key, nonce, now, ttlMs: 1 })
  const { scopes, effect_ceiling } = own
  if (above === undefined) return { ...leaf, scopes, effect_ceiling, budget: own.budget }
  const key = subject_key === undefined ? {} : { subject_key }
  const asked = { subject, ...key, nonce, scopes, effect_ceiling, budget: leaf.budget, window }
  const made = attenuateWrit(above, asked)
  return made.ok ? made.value : null
}
