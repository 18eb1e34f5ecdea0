/**
 * What the entries of each kind say, in the order in which a reader wants to know it. Members of a
 * payload by their path; whatever is not named here is in the JSON.
 */
import type { EntryKind } from 'rubicon-kernel'

/** How a value is shown. `claim`: an agent, or somebody outside, wrote it. */
export type ShownAs = 'text' | 'id' | 'flow' | 'agent' | 'code' | 'claim' | 'json' | 'when'

export type ShownField = { readonly name: string; readonly path: string; readonly as: ShownAs }

const describeMember = (name: string, path: string, as: ShownAs = 'text'): ShownField => ({
  name,
  path,
  as,
})

const DECISION: readonly ShownField[] = [
  describeMember('attempt', 'attempt'),
  describeMember('proposed', 'proposal.policy_kind', 'claim'),
  describeMember('parameters', 'proposal.params', 'json'),
  describeMember('justification', 'proposal.justification', 'claim'),
]
const INTENT: readonly ShownField[] = [
  describeMember('intent', 'intent.intent_id', 'id'),
  describeMember('step', 'intent.step_id'),
  describeMember('valid until', 'intent.valid_until', 'when'),
]
const GROUNDS: readonly ShownField[] = [
  describeMember('facts', 'facts', 'json'),
  describeMember('trace', 'trace', 'json'),
]
const SIGNED: readonly ShownField[] = [describeMember('signed by', 'signature.key_id', 'id')]

export const ENTRY_SHAPES: Readonly<Record<EntryKind, readonly ShownField[]>> = {
  root: [describeMember('protocol', 'protocol'), describeMember('created by', 'created_by')],
  branch: [
    describeMember('forks from', 'source.trajectory'),
    describeMember('at entry', 'source.seq'),
    describeMember('World', 'world_after', 'id'),
    describeMember('note', 'note', 'claim'),
  ],
  key: [
    describeMember('action', 'body.action'),
    describeMember('key', 'body.key_id', 'id'),
    describeMember('purpose', 'body.purpose'),
    describeMember('of', 'body.subject'),
    describeMember('public key', 'body.public_key', 'id'),
    ...SIGNED,
  ],
  contract: [
    describeMember('action', 'body.action'),
    describeMember('agent', 'body.contract.agent_id', 'agent'),
    describeMember('version', 'body.contract.version'),
    describeMember('mission', 'body.contract.mission', 'claim'),
    describeMember('contract', 'body.contract', 'json'),
    ...SIGNED,
  ],
  lifecycle: [
    describeMember('agent', 'body.agent_id', 'agent'),
    describeMember('from', 'body.from'),
    describeMember('to', 'body.to'),
    describeMember('changed by', 'body.by'),
    describeMember('as', 'body.actor'),
    describeMember('reason', 'body.justification', 'claim'),
    ...SIGNED,
  ],
  revocation: [
    describeMember('what', 'body.target'),
    describeMember('which', 'body.id', 'id'),
    describeMember('reason', 'body.reason', 'claim'),
    ...SIGNED,
  ],
  policy: [
    describeMember('rules', 'body.rules_hash', 'id'),
    describeMember('monitor', 'body.monitor.name'),
    describeMember('content', 'body', 'json'),
    ...SIGNED,
  ],
  person: [
    describeMember('action', 'body.action'),
    describeMember('person', 'body.person_id', 'id'),
    describeMember('into', 'body.into', 'id'),
    describeMember('identities', 'body.identities', 'json'),
    describeMember('identity', 'body.identity', 'json'),
    describeMember('by', 'body.by'),
    ...SIGNED,
  ],
  anchor: [
    describeMember('action', 'body.action'),
    describeMember('lost from', 'body.lost_from'),
    describeMember('lost to', 'body.lost_to'),
    describeMember('reason', 'body.reason', 'claim'),
    ...SIGNED,
  ],
  source: [
    describeMember('action', 'body.action'),
    describeMember('source', 'body.source_id'),
    describeMember('label', 'body.label'),
    describeMember('paths', 'body.paths', 'json'),
    ...SIGNED,
  ],
  erasure: [
    describeMember('flow', 'body.dfid', 'flow'),
    describeMember('reason', 'body.reason', 'claim'),
    ...SIGNED,
  ],
  event: [describeMember('topic', 'topic'), describeMember('woken', 'woken', 'json')],
  writ: [
    describeMember('flow', 'flow.dfid', 'flow'),
    describeMember('agent', 'flow.agent_id', 'agent'),
    describeMember('trigger', 'flow.trigger', 'claim'),
    describeMember('parent flow', 'flow.parent_dfid', 'flow'),
    describeMember('writ', 'writ.id', 'id'),
    describeMember('for', 'writ.body.subject'),
    describeMember('issued by', 'writ.body.issuer_key', 'id'),
    describeMember('what it grants', 'writ.body', 'json'),
    describeMember('what the agent was shown', 'flow.snapshot', 'json'),
  ],
  delegation: [
    describeMember('to agent', 'child_agent', 'agent'),
    describeMember('in flow', 'child_dfid', 'flow'),
    describeMember('from flow', 'parent_dfid', 'flow'),
    describeMember('opened by', 'opened_by', 'json'),
    describeMember('by writ', 'writ_id', 'id'),
    describeMember('returned', 'returned', 'json'),
  ],
  accepted: [...DECISION, ...INTENT, ...GROUNDS],
  dispatch: [
    ...DECISION,
    describeMember('send', 'send'),
    describeMember('accepted at', 'accepted', 'json'),
    ...INTENT,
    describeMember('final check', 'jit', 'json'),
    ...GROUNDS,
  ],
  resend: [
    describeMember('intent', 'body.intent_id', 'id'),
    describeMember('send', 'body.send'),
    describeMember('why again', 'body.why'),
    describeMember('first sent at', 'body.first', 'json'),
    describeMember('sent before', 'body.send_before', 'when'),
    describeMember('final check', 'body.jit', 'json'),
    ...GROUNDS,
    ...SIGNED,
  ],
  rejection: [
    describeMember('reason', 'reason_code', 'code'),
    describeMember('by stage', 'stage'),
    describeMember('code of the contract', 'domain_code'),
    describeMember('details', 'details', 'json'),
    ...DECISION,
    ...GROUNDS,
  ],
  pending_approval: [
    describeMember('reason', 'request.reason_code', 'code'),
    describeMember('impact', 'request.impact'),
    describeMember('asked of', 'request.channel'),
    describeMember('expires', 'request.expires_at', 'when'),
    describeMember('request', 'request.id', 'id'),
    ...DECISION,
    describeMember('the whole request', 'request', 'json'),
    ...GROUNDS,
  ],
  approval: [
    describeMember('decision', 'body.decision'),
    describeMember('by', 'body.approver'),
    describeMember('reason', 'body.justification', 'claim'),
    describeMember('request', 'body.request_id', 'id'),
    describeMember('bound to', 'body.intent_digest', 'id'),
    describeMember('identity confirmed by', 'vouched_by'),
    describeMember('what it approves', 'body.lifts', 'json'),
    ...SIGNED,
  ],
  commit: [
    describeMember('settled by', 'settled_by'),
    describeMember('intent', 'intent_id', 'id'),
    describeMember('changes to the World', 'delta', 'json'),
    describeMember('how to undo them', 'inverse', 'json'),
    describeMember('World afterwards', 'world_after', 'id'),
    describeMember('receipt', 'receipt', 'json'),
    describeMember('cost', 'cost', 'json'),
    describeMember('compiler', 'compiler_version'),
  ],
  settle: [
    describeMember('status', 'status'),
    describeMember('reason', 'reason_code', 'code'),
    describeMember('intent', 'intent_id', 'id'),
    describeMember('details', 'details', 'json'),
  ],
  evidence: [
    describeMember('source', 'source'),
    describeMember('finding', 'finding'),
    describeMember('reason', 'reason_code', 'code'),
    describeMember('status', 'status'),
    describeMember('narrative', 'narrative', 'claim'),
    describeMember('by', 'by'),
    describeMember('used', 'used', 'json'),
    describeMember('details', 'details', 'json'),
    describeMember('what the agent was shown', 'snapshot', 'json'),
  ],
}
