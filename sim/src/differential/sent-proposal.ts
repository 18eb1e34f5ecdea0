/** A proposal as an agent sends it, with what it leaves out, and what is judged of it. */
import {
  completeProposal,
  type FlowMembers,
  type JsonObject,
  type JsonValue,
  listMissingMembers,
  type PolicyProposal,
  parseProposal,
  type ReasonCode,
} from 'rubicon-kernel'

export type SentProposal = {
  readonly sent: JsonObject
  /** Why it was refused before it was judged. */
  readonly unreadable: ReasonCode | null
}

export function sendProposal(
  document: JsonObject,
  absent: readonly string[],
  said: FlowMembers,
): SentProposal & { readonly judged: JsonValue; readonly proposal: PolicyProposal } {
  const sent = Object.fromEntries(
    Object.entries(document).filter(([name]) => !absent.includes(name)),
  )
  const judged = completeProposal(sent, listMissingMembers(sent), said)
  const read = parseProposal(judged)
  // What is refused for what it lacks is given an input all the same: nobody will judge it.
  const parsed = read.ok ? read : parseProposal({ ...said, ...document })
  if (!parsed.ok) throw new Error(`a mutation broke the proposal: ${JSON.stringify(parsed.error)}`)
  return { sent, judged, proposal: parsed.value, unreadable: read.ok ? null : read.error.code }
}
