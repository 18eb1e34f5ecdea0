/**
 * The law as the ledger records it: rule sets, the text of Cedar policies and the descriptions of
 * capabilities are judged by; what is code elsewhere answers what it answered then.
 *
 * Boundary: it holds no authority. Whether a law was in force is for the verifiers.
 */
import {
  type Address,
  addCost,
  type Budget,
  buildManifestLaw,
  type CapabilityDescription,
  type CapabilityLaw,
  COMPILER_VERSION,
  err,
  type Facts,
  type FactView,
  isReserved,
  type JitField,
  ok,
  type Policy,
  type PolicyRecord,
  type PolicySource,
  parseDescribedManifest,
  type Result,
  type RuleSet,
  type Rules,
  type RulesBody,
  type Sha256,
} from 'rubicon-kernel'
import { pinCapability } from '../../capabilities/register.ts'
import { RESERVED, RESERVED_VERSION } from '../../capabilities/reserved.ts'
import { compileSchema, type Validate } from '../../capabilities/schema.ts'
import { loadCedar } from '../../policies/load-policy.ts'
import { matchesRegex } from '../../policies/regex.ts'
import type { MissingFacts, SpokenWords } from './spoken-words.ts'

const CEDAR = 'cedar:'

type Recorded = { readonly rules: RuleSet; readonly cedar: ReadonlyMap<string, Policy> }
type Described = {
  readonly description: CapabilityDescription
  readonly validate: Validate
  /** Of a tool that is data: nobody's word is taken. Null: its functions are code elsewhere. */
  readonly computed: ReturnType<typeof buildManifestLaw> | null
}

export class RecordedLaw {
  readonly #sha256: Sha256
  readonly #rules = new Map<string, Result<Recorded, string>>()
  readonly #capabilities = new Map<string, Result<Described, string>>()
  readonly #reserved: ReadonlyMap<string, CapabilityLaw>

  constructor(sha256: Sha256) {
    this.#sha256 = sha256
    this.#reserved = new Map(RESERVED.flatMap((one) => listReservedLaw(one, sha256)))
  }

  addRules({ rules_hash, rules, texts, capabilities }: RulesBody): void {
    this.#rules.set(rules_hash, this.#readRules(rules, texts))
    for (const { capability, capability_hash } of capabilities)
      this.addCapability(capability, capability_hash)
  }

  addCapability(description: CapabilityDescription, hash: Address): void {
    this.#capabilities.set(hash, this.#readDescription(description))
  }

  /** What every call of what was proposed costs, before anybody is asked. */
  computeCallCost({ capability }: Facts): Budget {
    const described = this.#capabilities.get(capability?.hash ?? '')
    const cost = described?.ok === true ? described.value.description.cost : {}
    return addCost({ calls: '1' }, cost) ?? {}
  }

  /** As it was recorded under that hash, or as it is built in; undefined: nobody recorded it. */
  findDescription(hash: Address): CapabilityDescription | undefined {
    const described = this.#capabilities.get(hash)
    if (described !== undefined) return described.ok ? described.value.description : undefined
    return [...this.#reserved.values()].find((law) => law.hash === hash)?.description
  }

  /** The law that a decision names, with what others said in it. Err: in words why there is none. */
  findRules({ rules_hash, capability }: Facts, words: SpokenWords): Result<Rules, string> {
    const recorded = this.#rules.get(rules_hash)
    if (recorded === undefined) return err(`no entry records the rules ${rules_hash}`)
    if (!recorded.ok) return recorded
    const law = capability === null ? ok(undefined) : this.#findCapabilityLaw(capability, words)
    if (!law.ok) return law
    const { rules, cedar } = recorded.value
    return ok({
      hash: rules_hash as Address,
      policies: rules.policies.map(
        (policy) => cedar.get(policy.name) ?? createSpokenPolicy(policy, words),
      ),
      ...(rules.topologies === undefined ? {} : { topologies: rules.topologies }),
      ...(rules.topics === undefined ? {} : { topics: rules.topics }),
      // Of a kind that nobody registered there is no law, and the facts say so.
      capability: (kind) => (kind === capability?.kind ? law.value : this.#reserved.get(kind)),
      regex: matchesRegex,
      sha256: this.#sha256,
    })
  }

  /** The manifest by which it was judged again, by its hash; null where there is none. */
  findManifestHash({ capability }: Facts): string | null {
    const described = this.#capabilities.get(capability?.hash ?? '')
    if (described?.ok !== true || described.value.computed === null) return null
    return described.value.description.source.hash
  }

  /** Whose word was taken in judging by it: code that the ledger names by its hash. */
  listTakenWords({ rules_hash, capability }: Facts): readonly string[] {
    const recorded = this.#rules.get(rules_hash)
    const described = this.#capabilities.get(capability?.hash ?? '')
    const isCode = described?.ok === true && described.value.computed === null
    const policies = recorded?.ok === true ? recorded.value.rules.policies : []
    const named = policies.filter(({ source }) => !source.startsWith(CEDAR))
    return [
      ...(isCode ? [described.value.description.source.hash] : []),
      ...named.map(({ name, source }) => (source === 'unpinned' ? `unpinned:${name}` : source)),
    ]
  }

  #readDescription(description: CapabilityDescription): Result<Described, string> {
    const schema = compileSchema(description.params)
    if (!schema.ok) return err(schema.error.summary)
    const manifest = parseDescribedManifest(description, this.#sha256)
    if (!manifest.ok) return manifest
    const computed = manifest.value === null ? null : buildManifestLaw(manifest.value)
    return ok({ description, validate: schema.value, computed })
  }

  #readRules(rules: RuleSet, texts: RulesBody['texts']): Result<Recorded, string> {
    const { compiler_version, evaluators, policies } = rules
    if (compiler_version !== COMPILER_VERSION)
      return err(`it was judged by ${compiler_version}, this is ${COMPILER_VERSION}`)
    if (evaluators.reserved !== RESERVED_VERSION)
      return err(`its reserved kinds are ${evaluators.reserved}, these are ${RESERVED_VERSION}`)
    const cedar = new Map<string, Policy>()
    for (const { name, version, source, applies_to } of policies) {
      if (!source.startsWith(CEDAR)) continue
      const text = texts[source.slice(CEDAR.length)]
      if (text === undefined) return err(`the text of policy ${name} is not recorded`)
      const options = { name, version, text, ...(applies_to === undefined ? {} : { applies_to }) }
      const policy = loadCedar(options, this.#sha256)
      if (!policy.ok) return err(policy.error.summary)
      cedar.set(name, policy.value)
    }
    return ok({ rules, cedar })
  }

  #findCapabilityLaw(
    { kind, hash }: NonNullable<Facts['capability']>,
    words: SpokenWords,
  ): Result<CapabilityLaw, string> {
    const reserved = this.#reserved.get(kind)
    if (isReserved(kind))
      return reserved?.hash === hash ? ok(reserved) : err(`${kind} is another one than this`)
    const described = this.#capabilities.get(hash)
    if (described === undefined) return err(`no entry records the capability ${hash}`)
    return described.ok ? ok(createRecordedLaw(described.value, hash, words)) : described
  }
}

function listReservedLaw(
  capability: (typeof RESERVED)[number],
  sha256: Sha256,
): readonly (readonly [string, CapabilityLaw])[] {
  const pinned = pinCapability(capability, sha256)
  return pinned.ok ? [[capability.kind, pinned.value.law]] : []
}

function createSpokenPolicy(record: PolicyRecord, words: SpokenWords): Policy {
  const { name, version, applies_to } = record
  const source: PolicySource = { kind: 'unpinned' }
  return {
    name,
    version,
    source,
    ...(applies_to === undefined ? {} : { applies_to }),
    evaluate() {
      const answer = words.policy(name)
      if (answer === undefined) throw new Error('the record has no answer of it')
      return answer
    },
  }
}

/** A manifest is computed again; code is not here, and what it said then is taken. */
function createRecordedLaw(described: Described, hash: Address, words: SpokenWords): CapabilityLaw {
  const { description, validate, computed } = described
  if (computed === null) return createSpokenLaw(described, hash, words)
  return { description, hash, validate, ...computed }
}

/** Schema, scopes, sinks, effect and risk are the description's; the rest is what was said. */
function createSpokenLaw(
  { description, validate }: Pick<Described, 'description' | 'validate'>,
  hash: Address,
  words: SpokenWords,
): CapabilityLaw {
  const requestFacts = (measure: 'cost' | 'resources' | 'measures', view: FactView): void => {
    for (const name of listMissingNames(words.absent(measure))) askFor(view, name)
  }
  return {
    description,
    hash,
    validate,
    reads: () => ({ state: listAbsent(words), world: [] }),
    measures(_params, view) {
      requestFacts('measures', view)
      return words.measures
    },
    resources(_params, view) {
      requestFacts('resources', view)
      if (words.resources === null) throw new Error('it could not say')
      return words.resources
    },
    jit: () => ({
      ...Object.fromEntries(words.watched.map((name): [string, JitField] => [name, WATCHED])),
      ...words.moved,
    }),
    cost(_params, view) {
      requestFacts('cost', view)
      if (words.cost === null) throw new Error('it could not say')
      return words.cost
    },
    precondition: () => words.precondition,
  }
}

/** Where a watched value stands is not asked here: what moved was judged at dispatch. */
const WATCHED: JitField = { path: '', kind: 'telemetry' }

function listMissingNames({ absent, unread }: MissingFacts): readonly string[] {
  return [...absent, ...unread]
}

function listAbsent(words: SpokenWords): readonly string[] {
  return (['cost', 'resources', 'measures'] as const).flatMap((of) => words.absent(of).absent)
}

/** A name is that of a State path, or of a World resource as `kind.id`. */
function askFor(view: FactView, name: string): void {
  if (view.state(name) === undefined) return
  const dot = name.indexOf('.')
  if (dot > 0) view.world(name.slice(0, dot), name.slice(dot + 1))
}
