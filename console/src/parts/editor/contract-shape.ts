/** What a contract can say. `document-shapes.test.ts` holds it against the parser. */
import { FLAG, KINDS, type Shape } from './document-shape.ts'

const LIMIT: Shape = {
  members: {
    id: { says: 'by which refusals and approvals name it' },
    kind: { choices: ['range', 'set', 'state_match', 'ratio'] },
    measure: { names: 'measures', says: 'what the capability computes' },
    field: { names: 'pointers', says: 'a JSON pointer to a parameter, in place of a measure' },
    min: { says: 'the least, inclusive; 0 where only `max` is given' },
    max: { says: 'the most, inclusive' },
    of: { names: 'measures', says: 'what the measure is divided by' },
    allowed: { says: 'values or patterns that it may have', begins: '[]' },
    denied: { says: 'values or patterns that it may not have', begins: '[]' },
    expected: { says: 'what must stand in State' },
    applies_to: KINDS,
    on_breach: { choices: ['reject', 'escalate'] },
    reason_code: { says: 'a code of the kernel, or one of `reason_codes`' },
  },
}

const SUBSCRIPTION: Shape = {
  members: {
    topic: { names: 'topics' },
    wake_if: {
      members: {
        abs_change_pct: {},
        above: {},
        below: {},
        equals: {},
        since: {},
      },
    },
  },
}

const RESOURCE_SET: Shape = {
  members: { allow: { begins: '[]' }, applies_to: KINDS },
}

const PERMISSIONS: Shape = {
  says: 'what it may do',
  members: {
    policy_kinds: { ...KINDS, says: 'what it may propose' },
    forbidden_kinds: { ...KINDS, says: 'what it may never propose' },
    resources: { each: RESOURCE_SET, says: 'which accounts, folders, regions …' },
    limits: { items: LIMIT, says: 'bounds on one decision' },
    subscriptions: { items: SUBSCRIPTION, says: 'what wakes it' },
    reads: { says: 'paths of State that it is shown', begins: '[]' },
    accepts: { says: 'which labels of facts are enough, by path' },
  },
}

const SAFETY: Shape = {
  says: 'when people are asked, and when it is stopped',
  members: {
    requires_human_approval: { ...KINDS, says: 'always asked of a person' },
    max_intent_retries: { says: 'attempts of a flow' },
    min_confidence_threshold: { says: 'below it a proposal goes back' },
    escalate_on_uncertainty: { says: 'below it a person looks' },
    max_drawdown_limit_pct: {},
    wake_up_threshold_pnl_pct: {},
    suspend_after_rejections: { members: { count: {}, window_s: {} } },
    escalations_per_hour: {},
    rejections_per_hour: {},
    budget_per_flow: { says: 'so much in one flow, by measure' },
    budget_per_agent: { says: 'so much in a window, by measure', members: { window_s: {} } },
    silence_watchdog: {
      members: { minutes: {}, active: {}, scope: { choices: ['flow', 'agent'] } },
    },
    pause_on_escalation: FLAG,
    approvers: { members: { needs: {}, of: { begins: '[]' } } },
    self_approval: { choices: ['refused', 'allowed'] },
    approval_window_s: {},
    repeat_window_s: {},
    requires_signature: FLAG,
  },
}

export const CONTRACT_SHAPE: Shape = {
  members: {
    api_version: { choices: ['rubicon/v1'] },
    kind: { choices: ['ResponsibilityContract'] },
    agent_id: { names: 'agents' },
    version: { says: 'raised with every change' },
    owner: { says: 'the person who answers for it' },
    role: { choices: ['EXECUTOR', 'STRATEGIST', 'MONITOR'] },
    authority: { choices: ['OBSERVE', 'PROPOSE', 'EXECUTE_LIMITED', 'EXECUTE_FULL'] },
    effective_from: { says: 'a date or a UTC time' },
    effective_until: { says: 'exclusive' },
    instance_of: { names: 'agents' },
    parent_agent: { names: 'agents', says: 'whom it escalates to' },
    priority: { says: 'who goes first where several answer one event' },
    mission: { says: 'what it is for, in words' },
    permissions: PERMISSIONS,
    safety_rules: SAFETY,
    jit_verification: {
      says: 'what is looked at once more right before an effect',
      members: {
        drift_envelope: { each: { members: { max: {}, applies_to: KINDS } } },
        max_context_age_seconds: {},
        max_state_age_ms: {},
        on_drift_exceeded: {
          members: {
            action: { choices: ['ABORT'] },
            retry_with_fresh_context: FLAG,
            notify: { begins: '[]' },
          },
        },
      },
    },
    aggregate_thresholds: { says: 'bounds on the sum of many decisions' },
    host: { members: { network: { begins: '[]' }, memory_mb: {} } },
    context_schema: {},
    working_context: {
      members: {
        layers: { items: { choices: ['session', 'state', 'memory', 'artifacts'] }, begins: '[]' },
        requires: { begins: '[]' },
        limits: { members: { tokens: {}, session: {}, memory: {}, artifacts: {} } },
      },
    },
    compensation: { ...KINDS, says: 'what may take back its effects' },
    reason_codes: {
      says: 'codes of the business',
      each: { members: { kernel: {}, summary: {}, fix: {} } },
    },
  },
}
