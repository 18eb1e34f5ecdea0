/**
 * What the entries of each kind say, in the order in which a reader wants to know it. Members of a
 * payload by their path; whatever is not named here is in the JSON.
 */
import type { EntryKind } from 'rubicon-kernel'

/** How a value is shown. `claim`: an agent, or somebody outside, wrote it. */
export type ShownAs = 'text' | 'id' | 'flow' | 'agent' | 'code' | 'claim' | 'json' | 'when'

export type Said = { readonly name: string; readonly path: string; readonly as: ShownAs }

const said = (name: string, path: string, as: ShownAs = 'text'): Said => ({ name, path, as })

const DECISION: readonly Said[] = [
  said('attempt', 'attempt'),
  said('proposed', 'proposal.policy_kind', 'claim'),
  said('parameters', 'proposal.params', 'json'),
  said('justification', 'proposal.justification', 'claim'),
]
const INTENT: readonly Said[] = [
  said('intent', 'intent.intent_id', 'id'),
  said('step', 'intent.step_id'),
  said('valid until', 'intent.valid_until', 'when'),
]
const GROUNDS: readonly Said[] = [said('facts', 'facts', 'json'), said('trace', 'trace', 'json')]
const SIGNED: readonly Said[] = [said('signed by', 'signature.key_id', 'id')]

export const ENTRY_SHAPES: Readonly<Record<EntryKind, readonly Said[]>> = {
  root: [said('protocol', 'protocol'), said('created by', 'created_by')],
  branch: [
    said('forks from', 'source.trajectory'),
    said('at entry', 'source.seq'),
    said('World', 'world_after', 'id'),
    said('note', 'note', 'claim'),
  ],
  key: [
    said('action', 'body.action'),
    said('key', 'body.key_id', 'id'),
    said('purpose', 'body.purpose'),
    said('of', 'body.subject'),
    said('public key', 'body.public_key', 'id'),
    ...SIGNED,
  ],
  contract: [
    said('action', 'body.action'),
    said('agent', 'body.contract.agent_id', 'agent'),
    said('version', 'body.contract.version'),
    said('mission', 'body.contract.mission', 'claim'),
    said('contract', 'body.contract', 'json'),
    ...SIGNED,
  ],
  lifecycle: [
    said('agent', 'body.agent_id', 'agent'),
    said('from', 'body.from'),
    said('to', 'body.to'),
    said('moved by', 'body.by'),
    said('as', 'body.actor'),
    said('because', 'body.justification', 'claim'),
    ...SIGNED,
  ],
  revocation: [
    said('what', 'body.target'),
    said('which', 'body.id', 'id'),
    said('because', 'body.reason', 'claim'),
    ...SIGNED,
  ],
  policy: [
    said('rules', 'body.rules_hash', 'id'),
    said('monitor', 'body.monitor.name'),
    said('what it holds', 'body', 'json'),
    ...SIGNED,
  ],
  person: [
    said('action', 'body.action'),
    said('person', 'body.person_id', 'id'),
    said('into', 'body.into', 'id'),
    said('identities', 'body.identities', 'json'),
    said('identity', 'body.identity', 'json'),
    said('because of', 'body.by'),
    ...SIGNED,
  ],
  anchor: [
    said('action', 'body.action'),
    said('lost from', 'body.lost_from'),
    said('lost to', 'body.lost_to'),
    said('because', 'body.reason', 'claim'),
    ...SIGNED,
  ],
  source: [
    said('action', 'body.action'),
    said('source', 'body.source_id'),
    said('label', 'body.label'),
    said('paths', 'body.paths', 'json'),
    ...SIGNED,
  ],
  erasure: [said('flow', 'body.dfid', 'flow'), said('because', 'body.reason', 'claim'), ...SIGNED],
  event: [said('topic', 'topic'), said('woken', 'woken', 'json')],
  writ: [
    said('flow', 'flow.dfid', 'flow'),
    said('agent', 'flow.agent_id', 'agent'),
    said('trigger', 'flow.trigger', 'claim'),
    said('parent flow', 'flow.parent_dfid', 'flow'),
    said('writ', 'writ.id', 'id'),
    said('for', 'writ.body.subject'),
    said('issued by', 'writ.body.issuer_key', 'id'),
    said('what it grants', 'writ.body', 'json'),
    said('what the agent was shown', 'flow.snapshot', 'json'),
  ],
  delegation: [
    said('to agent', 'child_agent', 'agent'),
    said('in flow', 'child_dfid', 'flow'),
    said('from flow', 'parent_dfid', 'flow'),
    said('opened by', 'opened_by', 'json'),
    said('by writ', 'writ_id', 'id'),
    said('returned', 'returned', 'json'),
  ],
  accepted: [...DECISION, ...INTENT, ...GROUNDS],
  dispatch: [
    ...DECISION,
    said('send', 'send'),
    said('accepted at', 'accepted', 'json'),
    ...INTENT,
    said('looked at just before', 'jit', 'json'),
    ...GROUNDS,
  ],
  resend: [
    said('intent', 'body.intent_id', 'id'),
    said('send', 'body.send'),
    said('why again', 'body.why'),
    said('first sent at', 'body.first', 'json'),
    said('leaves before', 'body.send_before', 'when'),
    said('looked at just before', 'body.jit', 'json'),
    ...GROUNDS,
    ...SIGNED,
  ],
  rejection: [
    said('reason', 'reason_code', 'code'),
    said('by stage', 'stage'),
    said('own code', 'domain_code'),
    said('details', 'details', 'json'),
    ...DECISION,
    ...GROUNDS,
  ],
  pending_approval: [
    said('reason', 'request.reason_code', 'code'),
    said('impact', 'request.impact'),
    said('asked of', 'request.channel'),
    said('expires', 'request.expires_at', 'when'),
    said('request', 'request.id', 'id'),
    ...DECISION,
    said('the whole request', 'request', 'json'),
    ...GROUNDS,
  ],
  approval: [
    said('decision', 'body.decision'),
    said('by', 'body.approver'),
    said('because', 'body.justification', 'claim'),
    said('request', 'body.request_id', 'id'),
    said('bound to', 'body.intent_digest', 'id'),
    said('vouched for by', 'vouched_by'),
    said('what it lifts', 'body.lifts', 'json'),
    ...SIGNED,
  ],
  commit: [
    said('settled by', 'settled_by'),
    said('intent', 'intent_id', 'id'),
    said('changes to the World', 'delta', 'json'),
    said('how to undo them', 'inverse', 'json'),
    said('World afterwards', 'world_after', 'id'),
    said('receipt', 'receipt', 'json'),
    said('cost', 'cost', 'json'),
    said('compiler', 'compiler_version'),
  ],
  settle: [
    said('status', 'status'),
    said('reason', 'reason_code', 'code'),
    said('intent', 'intent_id', 'id'),
    said('details', 'details', 'json'),
  ],
  evidence: [
    said('source', 'source'),
    said('finding', 'finding'),
    said('reason', 'reason_code', 'code'),
    said('status', 'status'),
    said('narrative', 'narrative', 'claim'),
    said('by', 'by'),
    said('used', 'used', 'json'),
    said('details', 'details', 'json'),
    said('what the agent was shown', 'snapshot', 'json'),
  ],
}
