/** Changes that make the case one that was approved: rightly, or nearly. */
import { type CompileInput, compile, computeApprovedDigest } from 'rubicon-kernel'
import { type Draft, formatTimeFromNow, seal } from './case.ts'
import type { Chance } from './chance.ts'
import type { Mutation } from './mutation.ts'

const OTHER = `sha256:${'0'.repeat(64)}`

/** What the law would have asked for, and what an approval of it is bound to. */
function computeAsked(draft: Draft): { readonly digest: string; readonly ids: readonly string[] } {
  const { facts } = draft
  const flow = { ...facts.flow, state: 'ACTIVE' as const, snapshot_at: facts.now }
  const open: Draft = { ...draft, facts: { ...facts, flow, approval: null } }
  const verdict = compile(seal(open))
  if (verdict.kind === 'suspended')
    return { digest: verdict.intent_digest, ids: verdict.triggers.map(({ id }) => id) }
  if (verdict.kind !== 'staged') return { digest: OTHER, ids: [] }
  return {
    digest: computeApprovedDigest(verdict.intent, 'OVERRIDE', seal(draft).rules.sha256),
    ids: [],
  }
}

function setApproval(
  draft: Draft,
  change: Partial<NonNullable<Draft['facts']['approval']>> = {},
): void {
  const { digest, ids } = computeAsked(draft)
  const { facts } = draft
  facts.flow.state = 'ESCALATED'
  facts.approval = {
    request_id: 'request-1',
    decision: 'OVERRIDE',
    approver: 'ann@example.com',
    decisions: 1,
    binds: digest,
    rules_hash: 'sha256:rules',
    lifts: [...ids],
    impact: 'HIGH_IMPACT',
    past: { successes: 0, of_kind: 0, largest: null },
    valid_until: formatTimeFromNow(60_000),
    decided_at: formatTimeFromNow(-1_000),
    ...change,
  }
}

/** How much is at stake, by what the capability says of itself. */
function setStakes({ description }: Draft, chance: Chance): void {
  description.risk = chance.pick(['low', 'low', 'medium', 'high'])
  description.reversible = chance.once(2)
  if (chance.once(4)) return
  description.exposure = {
    measure: chance.pick(['order_value_usd', 'quantity', 'unheard_of']),
    threshold: chance.pick(['1', '2', '4000', '4000.01', '1000000', 'much']),
  }
}

function setModification(draft: Draft, chance: Chance): void {
  draft.proposal.supersedes = 'sha256:original'
  if (!chance.once(6)) {
    const who = { request_id: 'request-1', approver: 'ann@example.com' }
    draft.facts.auth = { kind: 'approval', ...who }
  }
  const { ids } = computeAsked({ ...draft, facts: { ...draft.facts } })
  setApproval(draft, { decision: 'MODIFY', lifts: chance.once(4) ? [] : [...ids, 'kind'] })
  draft.late.push(({ facts }) => {
    if (facts.approval !== null)
      facts.approval.binds = chance.once(5) ? OTHER : computeDocumentAddress(draft)
  })
}

/** Of the document that will be judged; what changes it later makes the approval void. */
function computeDocumentAddress(draft: Draft): string {
  const sealed: CompileInput = seal({ ...draft, late: [] })
  return sealed.document.address
}

export const APPROVAL: Readonly<Record<string, Mutation>> = {
  approved: (draft) => setApproval(draft),
  approvedAfterLimit: (draft) => {
    const limit = draft.contract?.permissions.limits[0]
    if (limit?.kind === 'range') {
      limit.max = '1'
      limit.on_breach = 'escalate'
    }
    setApproval(draft)
  },
  approvedUnsure: (draft, chance) => {
    draft.proposal.confidence = '0.5'
    setApproval(draft)
    if (chance.once(4) && draft.facts.approval !== null) draft.facts.approval.lifts = []
  },
  approvedOther: (draft, chance) => {
    setApproval(draft, chance.once(2) ? { binds: OTHER } : { rules_hash: OTHER })
  },
  askedAgain: (draft, chance) => {
    setApproval(draft, { decisions: 0, ...(chance.once(2) ? { lifts: [] } : {}) })
  },
  approvedUntil: (draft, chance) => {
    setApproval(draft, {
      valid_until: chance.pick([
        formatTimeFromNow(-1),
        formatTimeFromNow(0),
        formatTimeFromNow(1),
        'some day',
      ]),
    })
  },
  approvedLongAgo: (draft, chance) => {
    setApproval(draft, {
      decided_at: chance.pick([
        formatTimeFromNow(-30_000),
        formatTimeFromNow(-30_001),
        formatTimeFromNow(5),
        'some day',
      ]),
    })
    draft.facts.flow.snapshot_at = formatTimeFromNow(-86_400_000)
  },
  approvedElsewhere: (draft, chance) => {
    setApproval(draft)
    draft.facts.flow.state = chance.pick(['ACTIVE', 'ACCEPTED', 'ESCALATED'])
  },
  fullBeyondLimit: (draft, chance) => {
    setStakes(draft, chance)
    if (draft.contract === null) return
    draft.contract.authority = chance.pick(['EXECUTE_FULL', 'EXECUTE_FULL', 'EXECUTE_LIMITED'])
    const limit = draft.contract.permissions.limits[0]
    if (limit?.kind !== 'range') return
    limit.max = chance.pick(['1', '4000', '3999'])
    if (!chance.once(5)) limit.on_breach = 'escalate'
  },
  approvedAsLittle: (draft, chance) => {
    setStakes(draft, chance)
    const past = {
      successes: chance.pick([0, 9, 10, 30]),
      of_kind: chance.pick([0, 0, 1, 5]),
      largest: chance.pick([null, '0.2', '0.1', '400', '-400', '399.9', 'some']),
    }
    setApproval(draft, { impact: chance.pick(['LOW_IMPACT', 'LOW_IMPACT', 'HIGH_IMPACT']), past })
  },
  modified: setModification,
  superseding: ({ proposal }) => {
    proposal.supersedes = 'sha256:original'
  },
}
