/** The entries of a desk that belong together: a request, its answer, and what ran by it. */
import type { JsonObject } from 'rubicon-kernel'
import type { ForgedEntry, ForgedLedger } from './forged-ledger.ts'
import type { Decision } from './forgery.ts'

export type Signed = ForgedEntry & { readonly payload: JsonObject & { readonly body: JsonObject } }
export type RequestEntry = ForgedEntry & {
  readonly payload: JsonObject & { readonly request: JsonObject }
}

export type AskedDecision = {
  readonly request: RequestEntry
  readonly approval: Signed
  readonly ran: Decision
}

/** How the requests of one agent were answered, in order. */
export function listAsked({ entries }: ForgedLedger, agent: string): readonly AskedDecision[] {
  const requests = entries.filter((entry): entry is RequestEntry => {
    const request = entry.payload?.request as JsonObject | undefined
    return entry.envelope.kind === 'pending_approval' && request?.agent_id === agent
  })
  return requests.flatMap((request) => {
    const { id } = request.payload.request
    const approval = entries.find((entry): entry is Signed => {
      const body = entry.payload?.body as JsonObject | undefined
      return entry.envelope.kind === 'approval' && body?.request_id === id
    })
    const ran = entries.find((entry): entry is Decision => {
      const intent = entry.payload?.intent as JsonObject | undefined
      return (intent?.approval as JsonObject | undefined)?.request_id === id
    })
    return approval === undefined || ran === undefined ? [] : [{ request, approval, ran }]
  })
}

/** The answer whose decision is that; there is one. */
export function getAsked(
  ledger: ForgedLedger,
  agent: string,
  decision: 'OVERRIDE' | 'MODIFY',
): AskedDecision {
  const found = listAsked(ledger, agent).find(({ approval }) => {
    return approval.payload.body.decision === decision
  })
  if (found === undefined) throw new Error(`${agent} was answered with ${decision}`)
  return found
}

/** A decision that says of its approval what is changed, in its facts and in its intent. */
export function replaceApproval(
  { payload }: Pick<Decision, 'payload'>,
  changed: JsonObject,
): JsonObject {
  const { facts, intent } = payload as { readonly facts?: JsonObject; readonly intent: JsonObject }
  const approval = { ...(intent.approval as JsonObject), ...changed }
  return { ...payload, facts: { ...facts, approval }, intent: { ...intent, approval } }
}

export function replaceBody({ payload }: Signed, changed: JsonObject): JsonObject {
  return { ...payload, body: { ...payload.body, ...changed } }
}

export function replaceRequest({ payload }: RequestEntry, changed: JsonObject): JsonObject {
  return { ...payload, request: { ...payload.request, ...changed } }
}

/** Sent again: the entries of that kind. */
export function listResends({ entries }: ForgedLedger): readonly Signed[] {
  return entries.filter((entry): entry is Signed => entry.envelope.kind === 'resend')
}

/** Dispatches of what was accepted before. */
export function carryOutsIn({ entries }: ForgedLedger): readonly ForgedEntry[] {
  return entries.filter(({ envelope, payload }) => {
    return envelope.kind === 'dispatch' && payload?.intent_id !== undefined
  })
}
