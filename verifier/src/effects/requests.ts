/** Requests until somebody decides them: when each was made, and about which capability. */
import type { PayloadOf } from 'rubicon-kernel'
import { findAskedCapability, findModificationProblems, findRequestProblems } from './asked.ts'
import type { Capabilities } from './capabilities.ts'

export type Requests = {
  readonly ask: (payload: PayloadOf['pending_approval'], at: string) => readonly string[]
  readonly answer: (payload: PayloadOf['approval'], at: string) => readonly string[]
}

export function createRequests(capabilities: Capabilities): Requests {
  const open = new Map<
    string,
    { readonly capability: string | null; readonly requested_at: string }
  >()
  return {
    ask(payload, at) {
      const { id, requested_at } = payload.request
      const capability = findAskedCapability(payload)
      if (!open.has(id)) open.set(id, { capability, requested_at })
      return findRequestProblems(payload, capabilities.get(capability ?? ''), at)
    },
    answer(payload, at) {
      const { body, modification, releases } = payload
      const about = open.get(body.request_id)
      if (isFlowEnding(payload) || releases !== null) open.delete(body.request_id)
      if (modification === undefined || about === undefined) return []
      const { capability, requested_at } = about
      return findModificationProblems(
        modification,
        body.modified?.params ?? {},
        requested_at,
        capabilities.get(capability ?? ''),
        at,
      )
    },
  }
}

export function isFlowEnding({ body: { decision } }: PayloadOf['approval']): boolean {
  return decision === 'ABORT' || decision === 'EXPIRED'
}
