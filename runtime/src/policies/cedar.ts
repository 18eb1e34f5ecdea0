/**
 * Cedar policies as one of our policies. The evaluator runs in the process, synchronously, on sets
 * that were parsed when they were loaded.
 *
 * Cedar itself skips a rule that errors, which for a `forbid` means that an attacker can switch it
 * off by leaving out an attribute. Here any error refuses. A `forbid` with the annotation
 * `@require_approval("channel")` asks for a person instead of denying; the rest deny.
 */
import type * as cedar from '@cedar-policy/cedar-wasm/nodejs'
import {
  encodeHex,
  encodeUtf8,
  err,
  type Failure,
  isObject,
  type JsonObject,
  type JsonValue,
  LIMITS,
  ok,
  type Policy,
  type PolicyAnswer,
  type PolicyAsk,
  type PolicyInput,
  type Result,
  type Sha256,
  shorten,
} from 'rubicon-kernel'
import { buildCedarContext } from './cedar-context.ts'
import { computeCedarCost, countCedarSteps } from './cedar-cost.ts'
import { type CedarError, formatCedarErrors, listCedarProblems } from './cedar-error-text.ts'
import { askDraft, type Evaluator, lawEvaluator } from './cedar-evaluator.ts'
import { type ActionReads, indexActionReads, pickRead } from './cedar-reads.ts'
import { cutStatements } from './cedar-statements.ts'

export type CedarOptions = {
  readonly name: string
  readonly version: string
  /** The text of the policy file. */
  readonly text: string
  readonly applies_to?: readonly string[]
}

/** What a rule can see of a proposal: data, which can be handed to another thread. */
export type CedarInput = {
  readonly proposal: Pick<
    PolicyInput['proposal'],
    'agent_id' | 'policy_kind' | 'params' | 'confidence'
  >
  readonly capability: Pick<PolicyInput['capability'], 'kind' | 'risk' | 'reversible' | 'effect'>
  readonly contract: Pick<PolicyInput['contract'], 'role' | 'authority'>
  readonly measures: PolicyInput['measures']
}

export type CedarPolicy = Omit<Policy, 'evaluate' | 'steps'> & {
  steps(input: CedarInput): number
  evaluate(input: CedarInput): PolicyAnswer
}

type Rule = {
  readonly id: string
  readonly line: number
  readonly channel: string | null
  readonly reason: string
  readonly json: JsonValue
}

/** A policy that stays: its set is parsed once and kept by the evaluator for ever. */
export function createCedarPolicy(
  options: CedarOptions,
  sha256: Sha256,
): Result<CedarPolicy, Failure> {
  const rules = parseRules(options, lawEvaluator)
  if (!rules.ok) return rules
  return buildPolicy(options, sha256, rules.value, (preparsedPolicySetId, staticPolicies) => {
    const parsed = lawEvaluator.preparsePolicySet(preparsedPolicySetId, { staticPolicies })
    if (parsed.type === 'failure') return err(createParseFailure(options, parsed.errors))
    return ok((call) => lawEvaluator.statefulIsAuthorized({ ...call, preparsedPolicySetId }))
  })
}

/** One that is only tried: the evaluator keeps nothing of it, however often it is rewritten. */
export function createCedarDraft(
  options: CedarOptions,
  sha256: Sha256,
): Result<CedarPolicy, Failure> {
  try {
    const rules = askDraft((evaluator) => parseRules(options, evaluator))
    if (!rules.ok) return rules
    return buildPolicy(options, sha256, rules.value, (_setId, staticPolicies) => {
      const policies = { staticPolicies }
      const parsed = askDraft((evaluator) => evaluator.checkParsePolicySet(policies))
      if (parsed.type === 'failure') return err(createParseFailure(options, parsed.errors))
      return ok((call) => askDraft((evaluator) => evaluator.isAuthorized({ ...call, policies })))
    })
  } catch {
    return err(createParseFailure(options, [{ message: 'it is nested too deeply' }]))
  }
}

export function toCedarInput({
  proposal,
  capability,
  contract,
  measures,
}: PolicyInput): CedarInput {
  const { agent_id, policy_kind, params, confidence } = proposal
  const { kind, risk, reversible, effect } = capability
  const { role, authority } = contract
  return {
    proposal: { agent_id, policy_kind, params, confidence },
    capability: { kind, risk, reversible, effect },
    contract: { role, authority },
    measures,
  }
}

type Call = Omit<cedar.AuthorizationCall, 'policies'>
type Decide = (call: Call) => cedar.AuthorizationAnswer
type Rules = ReadonlyMap<string, Rule & { text: string }>

function buildPolicy(
  options: CedarOptions,
  sha256: Sha256,
  rules: Rules,
  prepare: (setId: string, texts: Record<string, string>) => Result<Decide, Failure>,
): Result<CedarPolicy, Failure> {
  const { name, version, text, applies_to } = options
  const hash = `sha256:${encodeHex(sha256(encodeUtf8(text)))}`
  const texts = Object.fromEntries([...rules].map(([id, rule]) => [id, rule.text]))
  const setId = `${name}@${hash}`
  const decide = prepare(setId, texts)
  if (!decide.ok) return decide
  const trees = [...rules.values()].map(({ json }) => json)
  const cost = computeCedarCost(trees)
  const findReads = indexActionReads(trees)
  const set: RuleSet = { id: setId, rules, findReads, decide: decide.value }
  return ok({
    name,
    version,
    source: { kind: 'file', language: 'cedar', hash },
    text,
    rules: [...rules.values()].map(({ id, line }) => ({ id, line })),
    ...(applies_to === undefined ? {} : { applies_to }),
    steps: (input) => countCedarSteps(cost, pickAgentInput(input)),
    evaluate: (input) => evaluate(set, input),
  })
}

function createParseFailure({ name, text }: CedarOptions, errors: readonly CedarError[]): Failure {
  return {
    code: 'POLICY_INVALID',
    summary: `policy \`${name}\` cannot be parsed: ${formatCedarErrors(text, errors)}`,
    fix: 'correct the Cedar text',
    meta: { problems: listCedarProblems(text, errors) },
  }
}

/** Rules are named by their `@id` annotation, so that a trace speaks the author's words. */
function parseRules(options: CedarOptions, cedar: Evaluator): Result<Rules, Failure> {
  const parts = cedar.policySetTextToParts(options.text)
  if (parts.type === 'failure') return err(createParseFailure(options, parts.errors))
  const statements = cutStatements(options.text)
  // A template is in force where somebody links it, and here nobody does.
  if (parts.policy_templates.length > 0)
    return err(createParseFailure(options, [{ message: TEMPLATE }]))
  if (parts.policies.length !== statements.length)
    return err(createParseFailure(options, [{ message: 'its rules cannot be told apart' }]))
  const rules = new Map<string, Rule & { text: string }>()
  for (const [index, { text, line }] of statements.entries()) {
    const json = cedar.policyToJson(text)
    if (json.type === 'failure') return err(createParseFailure(options, json.errors))
    const annotations = json.json.annotations ?? {}
    const id = annotations.id ?? `rule-${index + 1}`
    if (rules.has(id))
      return err(createParseFailure(options, [{ message: `two rules are called \`${id}\``, line }]))
    const channel = annotations.require_approval ?? null
    const body = json.json as unknown as JsonValue
    rules.set(id, { id, line, text, channel, reason: annotations.reason ?? id, json: body })
  }
  return ok(rules)
}

const TEMPLATE = 'a rule with `?principal` or `?resource` is a template, and never in force'

/** Rules as they were loaded, and what asks the evaluator about them. */
type RuleSet = {
  readonly id: string
  readonly rules: Rules
  readonly findReads: (action: string) => ActionReads
  readonly decide: Decide
}

function evaluate(set: RuleSet, input: CedarInput): PolicyAnswer {
  const { id: setId, rules, findReads, decide } = set
  const { proposal, capability } = input
  const escaped = escapeIn(proposal.params)
  if (escaped !== undefined) {
    const detail = `a member called \`${escaped}\` would be read as something else than it is`
    return { decision: null, erroring: [{ rule: setId, detail }] }
  }
  const { isMeant, reads } = findReads(proposal.policy_kind)
  const context = pickRead(buildCedarContext(input), reads)
  // No rule speaks of it, and nothing is there that cannot be read.
  if (!isMeant && Object.keys(context).length === 0) return { decision: null }
  const answer = decide({
    principal: { type: 'Agent', id: proposal.agent_id },
    action: { type: 'Action', id: proposal.policy_kind },
    resource: { type: 'Capability', id: capability.kind },
    context,
    entities: [],
  })
  if (answer.type === 'failure') {
    const detail = answer.errors.map(({ message }) => message).join('; ')
    return {
      decision: null,
      erroring: [{ rule: setId, detail: shorten(detail, LIMITS.wordsLength) }],
    }
  }
  const { decision, diagnostics } = answer.response
  const determining = [...diagnostics.reason].sort()
  const erroring = diagnostics.errors.map(({ policyId, error }, index) => ({
    rule: policyId,
    detail: index < ERRORS_TOLD ? shorten(error.message, LIMITS.wordsLength) : '',
  }))
  if (erroring.length > 0) return { decision: null, determining, erroring }
  // Nothing determined it: no rule spoke, and authority was established before.
  if (determining.length === 0) return { decision: null }
  if (decision === 'allow') return { decision: { kind: 'permit' }, determining }
  return { decision: toDenial(determining, rules), determining }
}

/** The evaluator repeats the value that it could not read, for each rule: an agent chose how long it is. */
const ERRORS_TOLD = 16

/** One plain `forbid` outranks any number of requests for approval; of those every one is heard. */
function toDenial(
  determining: readonly string[],
  rules: ReadonlyMap<string, Pick<Rule, 'channel' | 'reason'>>,
): PolicyAnswer['decision'] {
  const asks: PolicyAsk[] = []
  for (const id of determining) {
    const { channel, reason } = rules.get(id) ?? { channel: null, reason: id }
    if (channel === null) return { kind: 'deny', reason }
    asks.push({ channel, reason })
  }
  const [first = { channel: 'operator', reason: '' }, ...also] = asks
  return { kind: 'require_approval', ...first, ...(also.length === 0 ? {} : { also }) }
}

/** What an agent can make long: the rest of the context is short. */
function pickAgentInput({ proposal, measures }: CedarInput): JsonObject {
  return { params: proposal.params, measures: measures as JsonObject }
}

/** Objects with one of these members are entities and extension values to Cedar, whoever wrote them. */
const ESCAPES: readonly string[] = ['__entity', '__extn', '__expr']

function escapeIn(value: JsonValue): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const own = isObject(value) ? ESCAPES.find((name) => Object.hasOwn(value, name)) : undefined
  if (own !== undefined) return own
  for (const part of Object.values(value)) {
    const found = escapeIn(part)
    if (found !== undefined) return found
  }
  return undefined
}
