/** Changes of who speaks, with whose authority, and when: stages 0 to 5. */
import type {
  AgentStatus,
  ExecutionStatus,
  FlowState,
  KeyPurpose,
  SignatureFact,
} from 'rubicon-kernel'
import {
  AGENT,
  computeFingerprint,
  type Derived,
  deriveChildWrit,
  formatTimeFromNow,
} from './case.ts'
import type { Open } from './case-parts.ts'
import type { Chance } from './chance.ts'
import { deferChange, type Mutation } from './mutation.ts'

const OTHER = 'somebody_else'
const STATUSES = [
  'SUCCESS',
  'FAILED',
  'ABANDONED',
  'DISPATCHED',
  'UNKNOWN',
  'NOT_APPLIED',
  'MANUAL_REVIEW',
] as const satisfies readonly ExecutionStatus[]
const FLOWS = [
  'CREATED',
  'ACTIVE',
  'VALIDATING',
  'ACCEPTED',
  'EXECUTING',
  'ESCALATED',
  'CLOSED',
  'ABORTED',
] as const satisfies readonly FlowState[]
const LIVES = [
  'INITIALIZING',
  'ACTIVE',
  'SUSPENDED',
  'RETIRED',
  null,
] as const satisfies readonly (AgentStatus | null)[]
const PURPOSES = [
  'issuer',
  'agent',
  'operator',
  'checkpoint',
  null,
] as const satisfies readonly (KeyPurpose | null)[]
/** Around a moment: one millisecond before, exactly there, one after. */
const EDGE = [-1, 0, 1] as const

function drawSignature(chance: Chance): Open<SignatureFact> {
  return {
    key_id: 'key-agent',
    purpose: chance.once(4) ? chance.pick(PURPOSES) : 'agent',
    subject: chance.once(5) ? OTHER : AGENT,
    valid: !chance.once(5),
  }
}

const changeWritFact = (
  change: (fact: Open<Derived['facts']['writs'][number]>, chance: Chance) => void,
): Mutation =>
  deferChange(({ facts }, chance) => {
    const fact = facts.writs[chance.below(facts.writs.length || 1)]
    if (fact !== undefined) change(fact, chance)
  })

export const REPEAT: Readonly<Record<string, Mutation>> = {
  otherFlow: ({ proposal }) => {
    proposal.dfid = '0195555c-0000-7000-8000-000000000002'
  },
  otherAgent: ({ proposal }) => {
    proposal.agent_id = OTHER
  },
  otherSession: ({ facts }) => {
    facts.auth = { kind: 'session', agent_id: OTHER, key: null }
  },
  otherFlowAgent: ({ facts }) => {
    facts.flow.agent_id = OTHER
  },
  flowState: ({ facts }, chance) => {
    facts.flow.state = chance.pick(FLOWS)
  },
  attempt: ({ facts }, chance) => {
    facts.attempt = 1_000 + chance.pick(EDGE)
  },
  byKeyOfSession: ({ facts }, chance) => {
    const { valid: _, ...key } = drawSignature(chance)
    facts.auth = { kind: 'session', agent_id: AGENT, key }
  },
  bySignature: ({ facts }, chance) => {
    facts.auth = { kind: 'signature', signature: drawSignature(chance) }
  },
  claimed: deferChange((derived, chance) => {
    const status = chance.pick(STATUSES)
    derived.facts.claim = { params_fingerprint: computeFingerprint(derived), status }
  }),
  claimedOtherwise: deferChange(({ facts }, chance) => {
    facts.claim = { params_fingerprint: '0'.repeat(64), status: chance.pick(STATUSES) }
  }),
}

export const KIND_AND_SIGNATURE: Readonly<Record<string, Mutation>> = {
  schemaVersion: ({ proposal }, chance) => {
    const versions = ['1', '1.0', '1.5', '1.5.7', '1.6', '1.9', '2', '10', '0.1', '', '01', '1.']
    proposal.schema_version = chance.pick(versions)
  },
  reserved: ({ proposal }, chance) => {
    proposal.policy_kind = chance.pick([
      'SPAWN_CHILD',
      'SPAWN_INSTANCE',
      'COMPENSATE',
      'ESCALATE',
      'RETIRE',
      'HALT',
    ])
  },
  demandSignature: ({ contract }) => {
    if (contract !== null) contract.safety_rules.requires_signature = true
  },
  noWrits: deferChange((derived) => {
    derived.writs = []
  }),
  fewerFacts: deferChange(({ facts }) => {
    facts.writs.pop()
  }),
  writId: deferChange(({ proposal, writs }, chance) => {
    proposal.writ_id = chance.once(2) ? (writs[0]?.id ?? '') : 'sha256:another'
  }),
  factId: changeWritFact((fact) => {
    fact.id = 'sha256:another'
  }),
  bodyTampered: deferChange(({ writs }, chance) => {
    const writ = writs[chance.below(writs.length || 1)]
    if (writ !== undefined) writ.body = { ...writ.body, nonce: 'tampered' }
  }),
  writInvalid: changeWritFact(({ signature }) => {
    signature.valid = false
  }),
  writKey: changeWritFact(({ signature }) => {
    signature.key_id = 'key-other'
  }),
  writPurpose: changeWritFact(({ signature }, chance) => {
    signature.purpose = chance.pick(PURPOSES)
  }),
  writSubject: changeWritFact(({ signature }) => {
    signature.subject = OTHER
  }),
  strangeParent: ({ chain }, chance) => {
    const body = chain[chance.below(chain.length)]
    if (body !== undefined) body.parent = 'sha256:elsewhere'
  },
  strangeIssuer: ({ chain }, chance) => {
    const body = chain[chance.below(chain.length)]
    if (body !== undefined) body.issuer_key = 'key-other'
  },
  noSubjectKey: ({ chain }, chance) => {
    const body = chain[chance.below(chain.length)]
    if (body !== undefined) delete body.subject_key
  },
}

const TIMES = [
  'soon',
  '2026-03-02',
  '2026-02-30',
  '2026-03-02T24:00:00Z',
  '2026-03-02T10:00:00.5Z',
] as const

export const WINDOW: Readonly<Record<string, Mutation>> = {
  notBefore: ({ chain }, chance) => {
    for (const body of chain) body.window.not_before = formatTimeFromNow(chance.pick(EDGE))
  },
  expiresAt: ({ chain }, chance) => {
    for (const body of chain) body.window.expires_at = formatTimeFromNow(chance.pick(EDGE))
  },
  oddWindow: ({ chain }, chance) => {
    const body = chain[chance.below(chain.length)]
    if (body === undefined) return
    if (chance.once(2)) body.window.not_before = chance.pick(TIMES)
    else body.window.expires_at = chance.pick(TIMES)
  },
  now: ({ facts }, chance) => {
    facts.now = chance.pick([
      'noon',
      '2026-03-02',
      formatTimeFromNow(-3_600_001),
      formatTimeFromNow(3_599_999),
      formatTimeFromNow(1),
      formatTimeFromNow(-1),
    ])
  },
  effectiveFrom: ({ contract }, chance) => {
    if (contract !== null)
      contract.effective_from = chance.pick([
        formatTimeFromNow(-1),
        formatTimeFromNow(0),
        formatTimeFromNow(1),
        'soon',
        '2026-03-02',
      ])
  },
  effectiveUntil: ({ contract }, chance) => {
    if (contract !== null)
      contract.effective_until = chance.pick([
        formatTimeFromNow(-1),
        formatTimeFromNow(0),
        formatTimeFromNow(1),
        'never',
        '2026-03-03',
      ])
  },
  validUntil: ({ proposal }, chance) => {
    const ms = chance.pick([-1, 0, 1, 86_400_000 - 1, 86_400_000, 86_400_000 + 1])
    proposal.valid_until = formatTimeFromNow(ms)
  },
  openEnded: ({ proposal }) => {
    delete proposal.valid_until
  },
  deadlineUnread: deferChange(({ proposal }) => {
    proposal.valid_until = 'later'
  }),
}

export const SCOPE: Readonly<Record<string, Mutation>> = {
  status: ({ facts }, chance) => {
    facts.agent.status = chance.pick(LIVES)
  },
  maintenance: ({ facts }) => {
    facts.agent.maintenance = true
  },
  noContract: (draft) => {
    draft.contract = null
  },
  foreignContract: ({ contract }) => {
    if (contract !== null) contract.agent_id = OTHER
  },
  contractRevoked: deferChange(({ facts }, chance) => {
    if (facts.contract !== null) facts.contract.revoked = true
    if (chance.once(4)) facts.contract = null
  }),
  writRevoked: changeWritFact((fact) => {
    fact.revoked = true
  }),
  flowWritRevoked: ({ facts }) => {
    facts.flow.revoked_writ = `sha256:${'f'.repeat(64)}`
  },
  tenant: ({ chain, facts }, chance) => {
    const body = chain[chance.below(chain.length)]
    if (body === undefined || chance.once(4)) facts.tenant = 'evil'
    else body.tenant = 'evil'
  },
  audience: ({ chain, facts }, chance) => {
    const body = chain[chance.below(chain.length)]
    if (body === undefined || chance.once(4)) facts.audience = 'elsewhere'
    else body.audience = 'elsewhere'
  },
  subject: ({ chain }, chance) => {
    const body = chain[chance.below(chain.length)]
    if (body !== undefined) body.subject = OTHER
  },
  longChain: ({ chain }, chance) => {
    const root = chain.at(-1)
    if (root !== undefined) root.delegation.max_depth = 9
    const links = chance.pick([7, 8, 9])
    while (chain.length < links && chain[0] !== undefined) chain.unshift(deriveChildWrit(chain[0]))
  },
  authority: ({ contract }, chance) => {
    if (contract !== null)
      contract.authority = chance.pick(['OBSERVE', 'PROPOSE', 'EXECUTE_LIMITED', 'EXECUTE_FULL'])
  },
  kind: ({ proposal }, chance) => {
    proposal.policy_kind = chance.pick(['SELL', 'HOLD', 'WITHDRAW', 'BUY'])
  },
  forbidden: ({ contract }) => {
    contract?.permissions.forbidden_kinds.push('BUY')
  },
  unlisted: ({ contract }) => {
    contract?.permissions.policy_kinds.shift()
  },
  scopeKinds: ({ chain }, chance) => {
    const body = chain[chance.below(chain.length)]
    const kind = chance.pick(['B*', '*', 'BUY*', 'SELL', 'BU', 'BUYER*', 're:BUY', ''])
    if (body !== undefined) body.scopes = [{ kind: 'SELL' }, { kind }]
  },
}
