/** Agent Governance Toolkit: its policy engine and its hash-chained audit log, which is in memory. */
import {
  AuditLogger,
  ConflictResolutionStrategy,
  type Policy,
  PolicyEngine,
} from '@microsoft/agent-governance-sdk'
import { type Peer, parsePeerOptions, printFigure } from './peer.ts'
import { CEILING_CENTS, type Proposal, refund, toDenied } from './refund.ts'

const AGENT = 'refunds_bot'

const POLICY: Policy = {
  name: 'refunds',
  agents: ['*'],
  default_action: 'allow',
  rules: [
    { name: 'nothing to refund', condition: 'cents <= 0', ruleAction: 'deny' },
    { name: 'no order', condition: "order == ''", ruleAction: 'deny' },
    { name: 'above the ceiling', condition: `cents > ${CEILING_CENTS}`, ruleAction: 'deny' },
  ],
}

function openGovernance(): Peer {
  const engine = new PolicyEngine([], ConflictResolutionStrategy.DenyOverrides)
  engine.loadPolicy(POLICY)
  // By default it keeps 10,000 entries and copies them all for each one that it drops.
  const audit = new AuditLogger({ maxEntries: Number.POSITIVE_INFINITY })
  const record = (action: string, decision: 'allow' | 'deny'): void => {
    audit.log({ agentId: AGENT, action, decision })
  }
  return {
    note: 'policy and audit in memory: nothing is durable, no effect is kept from happening twice',
    concurrency: 1,
    act(proposal: Proposal) {
      const action = `refund:${proposal.order}`
      const { allowed, matchedRule = 'no rule' } = engine.evaluatePolicy(AGENT, { ...proposal })
      record(action, allowed ? 'allow' : 'deny')
      if (!allowed) return toDenied({ reason: matchedRule })
      const outcome = refund(proposal)
      record(`${action}:done`, 'allow')
      return outcome
    },
    close() {
      if (!audit.verify()) throw new Error('the audit log does not verify')
    },
  }
}

await printFigure('agent_governance', parsePeerOptions(), openGovernance())
