/** A contract as sentences for people. The document is the law; this is how it reads. */
import {
  buildThresholdMonitor,
  type ContextDeclaration,
  type Contract,
  findUnenforcedRules,
  getAllowedPatterns,
  getBound,
  listSubscriptions,
} from 'rubicon-kernel'
import { formatSeconds } from './format-seconds.ts'
import { formatWordList, limitSentence } from './limit-sentence.ts'
import { describeMonitor } from './monitor-sentence.ts'

export type Sentence = {
  readonly about: 'who' | 'may' | 'limits' | 'people' | 'stops' | 'budget' | 'watched' | 'notes'
  readonly text: string
}

const AUTHORITY: Readonly<Record<Contract['authority'], string>> = {
  OBSERVE: 'observes, and proposes nothing',
  PROPOSE: 'proposes, and every proposal waits for approval',
  EXECUTE_LIMITED: 'acts by itself inside its limits',
  EXECUTE_FULL:
    'acts by itself inside its limits, and beyond those that ask where little is at stake: then a person looks at it afterwards',
}

export function describeContract(contract: Contract): readonly Sentence[] {
  return [
    ...toSentences('who', describeAgent(contract)),
    ...toSentences('may', may(contract)),
    ...toSentences('limits', contract.permissions.limits.map(limitSentence)),
    ...toSentences('people', describePeople(contract)),
    ...toSentences('stops', describeStops(contract)),
    ...toSentences('budget', describeBudget(contract)),
    ...toSentences('watched', describeMonitors(contract)),
    ...toSentences('notes', describeNotes(contract)),
  ]
}

function toSentences(about: Sentence['about'], texts: readonly string[]): readonly Sentence[] {
  return texts.map((text) => ({ about, text }))
}

function describeAgent(contract: Contract): readonly string[] {
  const { agent_id, role, authority, owner, effective_from, effective_until } = contract
  const until = effective_until === undefined ? 'until it is revoked' : `until ${effective_until}`
  return [
    `${agent_id} is of role ${role} and ${AUTHORITY[authority]}; ${owner} answers for it`,
    `version ${contract.version} holds from ${effective_from} ${until}`,
    ...describeDefined(contract.instance_of, (agent) => `it is an instance of ${agent}`),
    ...describeDefined(
      contract.parent_agent,
      (agent) => `what it cannot decide goes to ${agent} first`,
    ),
  ]
}

function may({ permissions, safety_rules }: Contract): readonly string[] {
  const { policy_kinds, forbidden_kinds, resources, reads } = permissions
  const kinds =
    policy_kinds.length === 0 ? 'propose nothing' : `propose ${formatWordList(policy_kinds)}`
  return [
    `it may ${kinds}`,
    ...(forbidden_kinds.length === 0
      ? []
      : [`it may never propose ${formatWordList(forbidden_kinds)}`]),
    ...Object.entries(resources).map(([set, allowed]) => {
      return `${describeScope(allowed)}of ${set}, only ${formatWordList(getAllowedPatterns(allowed))}`
    }),
    ...(reads.length === 0
      ? []
      : [`it is shown ${formatWordList(reads)}, and nothing else of State`]),
    ...(safety_rules.requires_signature ? ['every proposal must carry its signature'] : []),
  ]
}

/** For which kinds, where a rule is about some of them. */
function describeScope(
  rule: string | readonly string[] | { readonly applies_to: readonly string[] },
): string {
  return typeof rule === 'object' && 'applies_to' in rule
    ? `for ${formatWordList(rule.applies_to)}, `
    : ''
}

function describePeople({ safety_rules }: Contract): readonly string[] {
  const {
    requires_human_approval: kinds,
    approvers,
    escalations_per_hour,
    self_approval,
  } = safety_rules
  const { min_confidence_threshold: least, escalate_on_uncertainty: asked } = safety_rules
  return [
    ...(kinds.length === 0 ? [] : [`${formatWordList(kinds)} always waits for a person`]),
    ...describeDefined(
      asked,
      (confidence) => `below a confidence of ${confidence} somebody is asked`,
    ),
    ...describeDefined(
      least,
      (confidence) => `below a confidence of ${confidence} it is sent back`,
    ),
    ...describeDefined(
      approvers,
      ({ needs, of }) => `${needs} of ${formatWordList(of, 'or')} must approve`,
    ),
    ...describeDefined(
      self_approval,
      () => 'its owner, and whoever deploys it, may approve what has a high impact',
    ),
    ...describeDefined(
      safety_rules.approval_window_s,
      (seconds) => `a request that nobody decides within ${formatSeconds(seconds)} ends its flow`,
    ),
    `it may reach a person ${escalations_per_hour} times an hour; then it is suspended`,
    ...(safety_rules.pause_on_escalation ? ['while a flow waits, its others wait too'] : []),
  ]
}

function describeStops({ safety_rules, jit_verification }: Contract): readonly string[] {
  const { max_intent_retries, max_drawdown_limit_pct, suspend_after_rejections } = safety_rules
  const { repeat_window_s } = safety_rules
  const { silence_watchdog, rejections_per_hour, budget_per_agent } = safety_rules
  const { drift_envelope, max_context_age_seconds, max_state_age_ms } = jit_verification
  return [
    `after ${max_intent_retries} refusals a flow ends`,
    ...describeDefined(repeat_window_s, (seconds) => {
      return `a call that asks for the same within ${formatSeconds(seconds)} of its effect is not carried out again`
    }),
    `after ${rejections_per_hour} refusals in an hour nothing more of it is judged in that hour`,
    ...describeDefined(budget_per_agent, ({ window_s, ...amounts }) => {
      const each = Object.entries(amounts).map(([measure, most]) => `${most} ${measure}`)
      return `all its flows together may spend ${formatWordList(each)} in ${formatSeconds(Number(window_s))}`
    }),
    ...describeDefined(suspend_after_rejections, ({ count, window_s }) => {
      return `after ${count} refusals in ${formatSeconds(window_s)} it is suspended`
    }),
    ...describeDefined(max_drawdown_limit_pct, (limit) => {
      return `from a drawdown of ${limit} % on it may only reduce and read`
    }),
    ...describeDefined(silence_watchdog, ({ minutes, active, scope }) => {
      const hours = active === undefined ? '' : ` (${active})`
      const who = scope === 'agent' ? 'it, or a flow of its' : 'a flow'
      return `when ${who} is silent for ${minutes} minutes${hours}, a person is asked`
    }),
    ...Object.entries(drift_envelope).map(([name, entry]) => {
      const bound = getBound(entry)
      const said = bound === 'strict' ? 'must not have moved' : `may move by ${bound}`
      return `${describeScope(entry)}${name} ${said}`
    }),
    ...describeDefined(
      max_context_age_seconds,
      (age) => `what it was shown counts for ${formatSeconds(age)}`,
    ),
    ...describeDefined(max_state_age_ms, (age) => `facts older than ${age} ms do not count`),
  ]
}

function describeBudget({ safety_rules }: Contract): readonly string[] {
  return Object.entries(safety_rules.budget_per_flow).map(
    ([measure, amount]) => `a flow may spend ${amount} of ${measure}`,
  )
}

function describeMonitors(contract: Contract): readonly string[] {
  const { agent_id, aggregate_thresholds } = contract
  return Object.entries(aggregate_thresholds).flatMap(([name, bound]) => {
    const monitor = buildThresholdMonitor(agent_id, name, bound)
    return monitor === undefined ? [] : [`it is suspended at: ${describeMonitor(monitor)}`]
  })
}

function describeNotes(contract: Contract): readonly string[] {
  const topics = listSubscriptions(contract).map(({ topic }) => topic)
  return [
    ...(topics.length === 0
      ? []
      : [
          `it is woken by ${formatWordList(topics)}, with priority ${contract.priority} (the lowest number comes first)`,
        ]),
    ...(contract.compensation.length === 0
      ? []
      : [`half a job may be ended by ${formatWordList(contract.compensation, 'or')}`]),
    ...describeDefined(contract.working_context, describeContext),
    ...findUnenforcedRules(contract).map(
      (rule) => `${rule} is recorded, but nothing enforces it yet`,
    ),
  ]
}

function describeContext({ layers, requires, limits }: ContextDeclaration): string {
  const shown = layers.length === 0 ? 'nothing but its mission' : formatWordList(layers)
  const needs = requires.length === 0 ? '' : `, never without ${formatWordList(requires)}`
  const most = Object.entries(limits).map(([of, number]) => `${number} of ${of}`)
  return `it is shown ${shown}${needs}${most.length === 0 ? '' : `, at most ${formatWordList(most)}`}`
}

function describeDefined<T>(
  value: T | undefined,
  sentence: (value: T) => string,
): readonly string[] {
  return value === undefined ? [] : [sentence(value)]
}
