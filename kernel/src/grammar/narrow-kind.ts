/** The parameters of one kind, narrowed by its schema, by resource sets and by limits, in this order. */
import { parseDecimal } from '../canonical/decimal.ts'
import { isApplicable, selectResources } from '../contract/applies.ts'
import { type Contract, LEAST, type Limit } from '../contract/contract.ts'
import { getOwn } from '../contract/own.ts'
import type { Regex } from '../contract/pattern.ts'
import { findUnansweredRules } from '../contract/unanswered.ts'
import type { CapabilityDescription } from '../execution/capability.ts'
import type { Expression } from '../expression/expression.ts'
import { parsePointer } from '../proposal/pointer.ts'
import { selectScopes } from '../writ/scope.ts'
import type { WritBody } from '../writ/writ.ts'
import type { ImpossibleKind, UnboundedPlace } from './grammar.ts'
import { type Narrow, narrowAt, narrowEach } from './narrow-node.ts'
import { type DecimalRange, narrowRange } from './narrow-range.ts'
import { type AllowedSet, narrowSet } from './narrow-set.ts'
import type { GrammarNode } from './node.ts'
import { computeParamRange, type SnapshotFacts } from './param-range.ts'
import { readNode } from './read-node.ts'

export type KindInput = {
  readonly contract: Contract
  readonly writs: readonly Pick<WritBody, 'scopes'>[]
  readonly description: CapabilityDescription
  readonly facts?: SnapshotFacts | undefined
  readonly regex?: Regex | undefined
}

export type NarrowedKind =
  | {
      readonly kind: 'narrowed'
      readonly params: GrammarNode
      readonly unbounded: readonly Place[]
    }
  | { readonly kind: 'impossible'; readonly why: ImpossibleKind }
  | { readonly kind: 'too_large'; readonly why: ImpossibleKind }

type Place = UnboundedPlace

export function narrowKind(input: KindInput): NarrowedKind {
  const { contract, description } = input
  const [unanswered] = findUnansweredRules(contract, description.kind, description)
  if (unanswered !== undefined) return buildImpossible(description.kind, '', unanswered)
  const read = readNode(description.params)
  if ('problem' in read) {
    const { isTooLarge, param, why } = read.problem
    const problem = { policy_kind: description.kind, param, rule: why }
    return { kind: isTooLarge ? 'too_large' : 'impossible', why: problem }
  }
  const narrowing = new KindNarrowing(input, read.node)
  for (const { param, keyword } of read.findings) narrowing.leave(param, keyword, 'schema')
  narrowing.applyResources()
  narrowing.applyLimits()
  return narrowing.finish()
}

function buildImpossible(policy_kind: string, param: string, rule: string): NarrowedKind {
  return { kind: 'impossible', why: { policy_kind, param, rule } }
}

type LimitOf<K extends Limit['kind']> = Extract<Limit, { readonly kind: K }>

class KindNarrowing {
  readonly #input: KindInput
  readonly #unbounded: Place[] = []
  #node: GrammarNode
  #impossible: NarrowedKind | null = null

  constructor(input: KindInput, node: GrammarNode) {
    this.#input = input
    this.#node = node
  }

  finish(): NarrowedKind {
    if (this.#impossible !== null) return this.#impossible
    return { kind: 'narrowed', params: this.#node, unbounded: this.#unbounded }
  }

  leave(param: string, rule: string, why: Place['why']): void {
    const { kind: policy_kind } = this.#input.description
    this.#unbounded.push({ policy_kind, param, rule, why })
  }

  /** A set that the contract does not grant for the kind has no values. */
  applyResources(): void {
    const { contract, description, regex } = this.#input
    const granted = selectResources(contract, description.kind)
    for (const [set, param] of Object.entries(description.scopes)) {
      const allowed = getOwn(granted, set) ?? []
      const isInside = (one: AllowedSet): Narrow =>
        narrowEach((node) => narrowSet(node, { ...one, isText: true }, regex))
      if (allowed.length === 0) this.#markImpossible(param, set)
      else this.#apply(param, set, 'set', isInside({ allowed }))
      for (const patterns of this.#listWritSets(set, param))
        this.#apply(param, set, 'set', isInside({ allowed: patterns }))
    }
  }

  /** Of several scopes one must admit the whole call: which one, only compile finds out. */
  #listWritSets(set: string, param: string): readonly (readonly string[])[] {
    const { writs, description } = this.#input
    const sets: (readonly string[])[] = []
    for (const { scopes } of writs) {
      const [only, ...others] = selectScopes(scopes, description.kind)
      const isOne = others.length === 0
      if (!isOne) this.leave(param, set, 'writ')
      const patterns = isOne ? getOwn(only?.resources ?? {}, set) : undefined
      if (patterns !== undefined) sets.push(patterns)
    }
    return sets
  }

  applyLimits(): void {
    const { contract, description } = this.#input
    for (const limit of contract.permissions.limits) {
      if (!isApplicable(limit.applies_to, description.kind)) continue
      switch (limit.kind) {
        case 'range':
          this.#applyRange(limit)
          break
        case 'set':
          this.#applySet(limit)
          break
        case 'state_match':
        case 'ratio':
          this.leave('', limit.id, limit.kind === 'ratio' ? 'measure' : 'fact')
          break
      }
    }
  }

  #applyRange(limit: LimitOf<'range'>): void {
    const range: DecimalRange = {
      min: parseDecimal(limit.min ?? LEAST) ?? null,
      max: limit.max === undefined ? null : (parseDecimal(limit.max) ?? null),
    }
    if (limit.measure === undefined) {
      const narrow: Narrow = (node) => narrowRange(node, range)
      this.#apply(limit.field ?? '', limit.id, 'limit', narrow)
      return
    }
    const solved = computeParamRange(this.#findMeasure(limit.measure), range, this.#input.facts)
    if (solved.kind === 'unsolved') this.leave('', limit.id, 'measure')
    else if (solved.kind === 'never') this.#markImpossible('', limit.id)
    else this.#apply(solved.param, limit.id, 'limit', (node) => narrowRange(node, solved.range))
  }

  /** The measure of a list is that list, and each of its values is looked at. */
  #applySet(limit: LimitOf<'set'>): void {
    const { allowed, denied } = limit
    const expression = limit.measure === undefined ? undefined : this.#findMeasure(limit.measure)
    const isParam = expression !== undefined && 'param' in expression
    const param = limit.measure === undefined ? limit.field : isParam ? expression.param : undefined
    if (param === undefined) this.leave('', limit.id, 'measure')
    else
      this.#apply(
        param,
        limit.id,
        'limit',
        narrowEach((node) => narrowSet(node, { allowed, denied }, this.#input.regex)),
      )
  }

  /** The measures of a tool that is code are not data: nobody can solve them. */
  #findMeasure(name: string): Expression | undefined {
    return getOwn(this.#input.description.manifest?.measures ?? {}, name)
  }

  #apply(param: string, rule: string, why: Place['why'], narrow: Narrow): void {
    const pointer = parsePointer(param)
    const narrowed = pointer === undefined ? 'unsaid' : narrowAt(this.#node, pointer, narrow)
    // What touches nothing has no amounts: a limit on a parameter that it lacks is about others.
    const isLacking = narrowed === 'empty' && this.#input.description.touches === 'none'
    if (narrowed === 'unsaid' || isLacking) this.leave(param, rule, why)
    else if (narrowed === 'empty') this.#markImpossible(param, rule)
    else this.#node = narrowed
  }

  #markImpossible(param: string, rule: string): void {
    this.#impossible ??= buildImpossible(this.#input.description.kind, param, rule)
  }
}
