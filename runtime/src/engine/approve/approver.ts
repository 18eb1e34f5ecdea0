/** Who decides, and by whose key that is vouched for. */
import {
  type ApprovalBody,
  type ApprovalPayload,
  type Authority,
  type Decider,
  type EscalationDecision,
  findLinkedPerson,
  isKeyInUse,
  type KeyRecord,
  toCanonicalText,
} from 'rubicon-kernel'
import type { CameBy } from '../authority/persons/person-behind.ts'
import type { Context } from '../engine-context.ts'
import { checkSignature, signDocument } from '../rows/sign.ts'

/** Who decides: a person and how they came, or the agent above in a flow of its own. */
export type DecidedBy =
  | ({ readonly kind: 'person' } & CameBy)
  | {
      readonly kind: 'agent'
      /** The agent above. */
      readonly agent_id: string
      /** The flow in which it was asked. */
      readonly dfid: string
    }

/** The name under which a decision is recorded. */
export function toApproverName(by: DecidedBy): string {
  return by.kind === 'person' ? by.principal : `agent:${by.agent_id}`
}

export type PersonDeciding = Extract<DecidedBy, { kind: 'person' }>

/**
 * A person's own signature counts if it holds under a key for approving that is linked to the person.
 * Without one, the runtime that knows the person vouches; where people have or had keys for approving, only
 * for somebody who has one.
 */
export async function verifyDecider(
  context: Context,
  authority: Authority,
  { principal, person }: Pick<KnownDecider, 'principal' | 'person'>,
  body: ApprovalBody,
  { signature }: EscalationDecision,
): Promise<KnownDecider> {
  const who = { kind: 'person', principal, person } as const
  if (signature === undefined) return { ...who, registered: isRegistered(authority, person) }
  const key = listApproverKeys(authority).find(
    ({ key_id }) => key_id === signature.key_id && isKeyOf(authority, key_id, person),
  )
  const text = toCanonicalText(body)
  const registered =
    key !== undefined &&
    (await checkSignature(context, key.public_key, 'approval', text, signature.sig))
  return { ...who, registered }
}

type KnownDecider = Extract<Decider, { kind: 'person' }>

/**
 * Whether the runtime may vouch for the person. Keys that have ended count as there being keys: whoever may end keys
 * could else end those of others, and decide as somebody who needs none.
 */
export function isRegistered(authority: Authority, person: string): boolean {
  const hasKeys = [...authority.keys.values()].some(({ purpose }) => purpose === 'approver')
  const inUse = listApproverKeys(authority)
  return !hasKeys || inUse.some(({ key_id }) => isKeyOf(authority, key_id, person))
}

function isKeyOf({ persons }: Authority, keyId: string, person: string): boolean {
  return findLinkedPerson(persons, keyId) === person
}

function listApproverKeys({ keys }: Authority): readonly KeyRecord[] {
  return [...keys.values()].filter((key) => key.purpose === 'approver' && isKeyInUse(key))
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
