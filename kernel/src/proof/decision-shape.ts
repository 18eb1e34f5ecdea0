/**
 * What was decided about a proposal, as checks: accepted, sent, sent again, refused, or put to somebody.
 * They repeat one another: each holds the facts that it was judged by, and most the proposal as well.
 */
import { FLOW_MEMBERS } from '../proposal/complete-proposal.ts'
import { signature } from './authority-shape.ts'
import { request } from './escalation-shape.ts'
import { intent } from './intent-shape.ts'
import {
  acceptAnything,
  address,
  count,
  createEnumShape,
  createExactShape,
  createNullableShape,
  createOpenShape,
  createUnionShape,
  flag,
  identifier,
  instant,
  listOf,
  object,
  type Shape,
  text,
} from './shape.ts'

type DecisionKind = 'accepted' | 'dispatch' | 'resend' | 'rejection' | 'pending_approval'

const list = listOf(acceptAnything)

const session = {
  kind: createEnumShape(['session']),
  agent_id: text,
  key: createNullableShape(createOpenShape({ key_id: text })),
}
const auth = createUnionShape(
  createOpenShape({ kind: createEnumShape(['approval']), request_id: text, approver: text }),
  createOpenShape({
    kind: createEnumShape(['signature']),
    signature: createOpenShape({ key_id: text }),
  }),
  createOpenShape(session),
)
const facts = createOpenShape({ authority_seq: count, auth })
const decision = {
  salt: text,
  attempt: count,
  proposal: acceptAnything,
  received: text,
  facts,
  facts_hash: address,
  trace: list,
}
const decisionOptions = { filled: listOf(createEnumShape(FLOW_MEMBERS)) }
const accepted = createExactShape({ ...decision, intent, jit: object }, decisionOptions)
const firstSend = createExactShape(
  { ...decision, intent, send: createEnumShape([1]), jit: object },
  decisionOptions,
)
const position = createExactShape({ trajectory: identifier, seq: count })
const carryOut = createExactShape({
  salt: text,
  intent_id: address,
  accepted: position,
  send: createEnumShape([1]),
  facts,
  facts_hash: address,
  jit: object,
})
const resendFacts = createOpenShape({
  authority_seq: count,
  auth,
  agent: createOpenShape({ maintenance: flag }),
})
const resend = createExactShape({
  salt: text,
  body: createExactShape({
    intent_id: address,
    first: position,
    send: count,
    why: createEnumShape(['same_key', 'not_applied']),
    facts_hash: address,
    policy_trace_hash: address,
    jit: object,
    send_before: instant,
  }),
  facts: resendFacts,
  trace: listOf(createOpenShape({ stage: text, said: text })),
  signature,
})
const refusal = {
  salt: text,
  attempt: count,
  received: text,
  trace: list,
  stage: text,
  gate: createNullableShape(count),
  reason_code: text,
  details: object,
}
const refusalOptions = {
  ...decisionOptions,
  proposal: acceptAnything,
  domain_code: text,
  ended_flow: text,
  snapshot: object,
  snapshot_id: text,
}
const refusalWithFacts = createExactShape(
  { ...refusal, facts, facts_hash: address },
  refusalOptions,
)
const refusalWithoutFacts = createExactShape(refusal, refusalOptions)

export const DECISION_SHAPES: Readonly<Record<DecisionKind, readonly Shape[]>> = {
  accepted: [accepted],
  dispatch: [firstSend, carryOut],
  resend: [resend],
  rejection: [refusalWithFacts, refusalWithoutFacts],
  pending_approval: [
    createExactShape({ ...decision, request }, decisionOptions),
    createExactShape({ salt: text, attempt: count, request }),
  ],
}
