/** Builds the grammar of kinds: contract ∩ writs ∩ schemas of capabilities, on the facts that the agent was shown. */
import type { JsonObject } from '../canonical/json-value.ts'
import type { Sha256 } from '../canonical/sha256.ts'
import { toCanonicalText } from '../canonical/write-json.ts'
import type { Contract } from '../contract/contract.ts'
import type { Regex } from '../contract/pattern.ts'
import type { CapabilityDescription } from '../execution/capability.ts'
import { isListingNeeded } from '../proposal/reserved-kind.ts'
import { err, type Failure, ok, type Result } from '../result.ts'
import { hasScopeFor } from '../writ/scope.ts'
import type { WritBody } from '../writ/writ.ts'
import {
  type Grammar,
  type GrammarBody,
  hashGrammar,
  type ImpossibleKind,
  type UnboundedPlace,
} from './grammar.ts'
import { GRAMMAR_LIMITS } from './grammar-limits.ts'
import { type NarrowedKind, narrowKind } from './narrow-kind.ts'
import { type GrammarNode, toNodeSchema } from './node.ts'
import type { SnapshotFacts } from './param-range.ts'

/** What a grammar is built from. */
export type GrammarInput = {
  /** Of the agent, as it holds for the flow. */
  readonly contract: Contract
  /** Of the flow, the leaf first; none where nobody has issued one yet. */
  readonly writs?: readonly Pick<WritBody, 'scopes'>[]
  /** Kinds that the agent may choose from. */
  readonly kinds: readonly string[]
  /** The capability of a kind as it is registered; undefined: there is none. */
  readonly describe: (kind: string) => CapabilityDescription | undefined
  /** State as the agent was shown it; without it limits on products with facts are left to compile. */
  readonly facts?: SnapshotFacts
  /** For patterns of contracts that are expressions; without it they are left to compile. */
  readonly regex?: Regex
  readonly sha256: Sha256
}

export function buildGrammar(input: GrammarInput): Result<Grammar, Failure> {
  const kinds = [...new Set(input.kinds)]
  if (kinds.length > GRAMMAR_LIMITS.kinds)
    return err(buildTooLarge(`it is for ${kinds.length} kinds, at most ${GRAMMAR_LIMITS.kinds}`))
  const alternatives: { readonly kind: string; readonly params: GrammarNode }[] = []
  const unbounded: UnboundedPlace[] = []
  const impossible: ImpossibleKind[] = []
  for (const kind of kinds) {
    const narrowed = narrowGranted(kind, input)
    if (narrowed.kind === 'too_large')
      return err(buildTooLarge(`\`${kind}\` at \`${narrowed.why.param}\`: ${narrowed.why.rule}`))
    if (narrowed.kind === 'impossible') impossible.push(narrowed.why)
    else {
      alternatives.push({ kind, params: narrowed.params })
      unbounded.push(...narrowed.unbounded)
    }
  }
  if (alternatives.length === 0) return err(buildUnsatisfiable(impossible))
  const schema = buildSchema(alternatives)
  const { length } = toCanonicalText(schema)
  if (length > GRAMMAR_LIMITS.schemaLength)
    return err(buildTooLarge(`its schema has ${length} characters`))
  const body: GrammarBody = {
    kinds: alternatives.map(({ kind }) => kind),
    schema,
    unbounded,
    impossible,
  }
  return ok({ ...body, hash: hashGrammar(body, input.sha256) })
}

function narrowGranted(kind: string, input: GrammarInput): NarrowedKind {
  const { contract, writs = [], facts, regex } = input
  const rule = findUngranted(kind, contract, writs)
  const description = input.describe(kind)
  if (rule !== null || description === undefined) {
    const why = { policy_kind: kind, param: '', rule: rule ?? 'capability' }
    return { kind: 'impossible', why }
  }
  return narrowKind({ contract, writs, description, facts, regex })
}

/** The part of contract or writ that does not grant the kind; null: all do. */
function findUngranted(
  kind: string,
  { authority, permissions }: Contract,
  writs: readonly Pick<WritBody, 'scopes'>[],
): string | null {
  if (authority === 'OBSERVE') return 'authority'
  if (permissions.forbidden_kinds.includes(kind)) return 'permissions.forbidden_kinds'
  if (!isListingNeeded(kind)) return null
  if (!permissions.policy_kinds.includes(kind)) return 'permissions.policy_kinds'
  return writs.every(({ scopes }) => hasScopeFor(scopes, kind)) ? null : 'writ'
}

/** Providers take only an object at the root, and several kinds are alternatives. */
function buildSchema(
  alternatives: readonly { readonly kind: string; readonly params: GrammarNode }[],
): JsonObject {
  const schemas = alternatives.map(({ kind, params }) => ({
    type: 'object',
    properties: { policy_kind: { enum: [kind] }, params: toNodeSchema(params) },
    required: ['policy_kind', 'params'],
    additionalProperties: false,
  }))
  const [only] = schemas
  return {
    type: 'object',
    properties: {
      proposal: schemas.length === 1 && only !== undefined ? only : { anyOf: schemas },
    },
    required: ['proposal'],
    additionalProperties: false,
  }
}

function buildTooLarge(summary: string): Failure {
  return {
    code: 'GRAMMAR_TOO_LARGE',
    summary: `the grammar is too large: ${summary}`,
    fix: 'ask for fewer kinds, or give the parameters of the tool a smaller schema',
  }
}

function buildUnsatisfiable(impossible: readonly ImpossibleKind[]): Failure {
  const named = impossible
    .slice(0, 8)
    .map(({ policy_kind, param, rule }) => `\`${policy_kind}\`${param} (${rule})`)
  const told = named.length === 0 ? 'it is for no kind' : named.join(', ')
  return {
    code: 'GRAMMAR_UNSATISFIABLE',
    summary: `no proposal that the contract allows could be written: ${told}`,
    fix: 'ask for kinds that the contract grants, or wait until the facts leave room',
    meta: { impossible },
  }
}
