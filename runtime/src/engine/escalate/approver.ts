/** Who decides, and by whose key that is vouched for. */
import {
  type ApprovalBody,
  type ApprovalPayload,
  type Authority,
  canonicalText,
  type Decider,
  type EscalationDecision,
  type JsonValue,
  type KeyRecord,
  keyInUse,
} from 'rubicon-kernel'
import type { Context } from '../context.ts'
import { checkSignature, signDocument } from '../sign.ts'

export type DecidedBy =
  | { readonly kind: 'person'; readonly principal: string }
  | { readonly kind: 'agent'; readonly agent_id: string; readonly dfid: string }

/** The name under which a decision is recorded. */
export function approverName(by: DecidedBy): string {
  return by.kind === 'person' ? by.principal : `agent:${by.agent_id}`
}

/**
 * A person's own signature counts if it holds under a key registered for approving in that name.
 * Without one, the runtime that knows the person vouches for the name; where people have keys for
 * approving, only for a name that has one.
 */
export async function personOf(
  context: Context,
  authority: Authority,
  principal: string,
  body: ApprovalBody,
  { signature }: EscalationDecision,
): Promise<Extract<Decider, { kind: 'person' }>> {
  if (signature === undefined)
    return { kind: 'person', principal, registered: isRegistered(authority, principal) }
  const key = approverKeys(authority).find(
    ({ key_id, subject }) => subject === principal && key_id === signature.key_id,
  )
  const text = canonicalText(body as unknown as JsonValue)
  const registered =
    key !== undefined &&
    (await checkSignature(context, key.public_key, 'approval', text, signature.sig))
  return { kind: 'person', principal, registered }
}

/** Whether the runtime may vouch for the name. */
export function isRegistered(authority: Authority, principal: string): boolean {
  const keys = approverKeys(authority)
  return keys.length === 0 || keys.some(({ subject }) => subject === principal)
}

function approverKeys({ keys }: Authority): readonly KeyRecord[] {
  return [...keys.values()].filter((key) => key.purpose === 'approver' && keyInUse(key))
}

/** The approver's own signature, or that of whoever vouches. */
export async function vouch(
  context: Context,
  body: ApprovalBody,
  by: DecidedBy['kind'] | 'runtime',
  signature?: EscalationDecision['signature'],
): Promise<Pick<ApprovalPayload, 'vouched_by' | 'signature'>> {
  if (signature !== undefined) return { vouched_by: 'approver', signature }
  const vouched_by = by === 'person' ? 'operator' : 'kernel'
  return { vouched_by, signature: await signDocument(context, vouched_by, 'approval', body) }
}
