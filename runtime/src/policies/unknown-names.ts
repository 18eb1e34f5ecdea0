/**
 * Names in a policy that nothing has: a rule on a misspelt action never speaks, and one on a misspelt
 * parameter refuses everything, or, behind `has`, never speaks either.
 */
import type { Policy } from 'rubicon-kernel'
import { CEDAR_CONTEXT } from './cedar-context.ts'
import { type CedarName, listCedarNames, type NamedInRule } from './cedar-names.ts'

/** What a rule can speak of, of one kind. */
export type KnownCapability = {
  readonly kind: string
  readonly measures: readonly string[]
  hasParameter(path: readonly string[]): boolean
}

export type UnknownName = {
  /** The rule that speaks of it, and the line; null: a function that says to which kinds it applies. */
  readonly rule: string | null
  readonly line: number | null
  readonly name: string
  /** What is wrong with it. */
  readonly why: string
}

export function findUnknownNames(
  policy: Policy,
  capabilities: readonly KnownCapability[],
): readonly UnknownName[] {
  const byKind = new Map(capabilities.map((one) => [one.kind, one]))
  const applied = (policy.applies_to ?? [])
    .filter((kind) => !byKind.has(kind))
    .map((kind) => ({ rule: null, line: null, name: kind, why: NO_ACTION }))
  return [...applied, ...findUnknownInText(policy, byKind)]
}

type ByKind = ReadonlyMap<string, KnownCapability>

const NO_ACTION = 'no capability is of this kind: nothing of it is ever proposed'

function findUnknownInText({ text, rules = [] }: Policy, byKind: ByKind): readonly UnknownName[] {
  if (text === undefined) return []
  const unknown = new Map<string, UnknownName>()
  for (const inRule of listCedarNames(text))
    for (const named of inRule.names) {
      const found = findNameProblem(named, inRule, byKind)
      const rule = rules[named.rule]?.id ?? null
      if (found === null) continue
      const key = JSON.stringify([named.rule, found.name])
      if (!unknown.has(key)) unknown.set(key, { rule, line: named.line, ...found })
    }
  return [...unknown.values()].sort(
    (a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.name < b.name ? -1 : 1),
  )
}

type Found = Pick<UnknownName, 'name' | 'why'>

function findNameProblem(named: CedarName, inRule: NamedInRule, byKind: ByKind): Found | null {
  switch (named.kind) {
    case 'type':
      return findTypeProblem(named.type)
    case 'head':
      return findHeadProblem(named)
    case 'entity':
      return findEntityProblem(named, byKind)
    case 'member':
      return findMemberProblem(named.path, inRule, byKind)
  }
}

const TYPES = ['Agent', 'Action', 'Capability']

function findTypeProblem(type: string): Found | null {
  if (TYPES.includes(type)) return null
  return { name: type, why: `nothing is of this type: there are ${TYPES.join(', ')}` }
}

const HEADS = { principal: 'Agent', resource: 'Capability' } as const

/** A known type in the wrong place: the rule never speaks. */
function findHeadProblem({ variable, type }: Extract<CedarName, { kind: 'head' }>): Found | null {
  const own = HEADS[variable]
  if (type === own || !TYPES.includes(type)) return null
  return {
    name: `${variable} ${type}`,
    why: `a ${variable} is of the type ${own}, and never ${type}`,
  }
}

function findEntityProblem(
  { type, id }: { readonly type: string; readonly id: string },
  byKind: ByKind,
): Found | null {
  // Agents come and go; their contracts are not rules.
  if (type === 'Agent' || byKind.has(id)) return findTypeProblem(type)
  return findTypeProblem(type) ?? { name: `${type}::"${id}"`, why: NO_ACTION }
}

function findMemberProblem(
  path: readonly string[],
  { actions }: NamedInRule,
  byKind: ByKind,
): Found | null {
  const [first = '', ...rest] = path
  const name = ['context', ...path].join('.')
  if (!CEDAR_CONTEXT.some((known) => known === first))
    return { name, why: `\`context\` has ${CEDAR_CONTEXT.join(', ')}` }
  const kinds = actions ?? [...byKind.keys()]
  const asked = kinds.flatMap((kind) => byKind.get(kind) ?? [])
  // An action that nobody knows is named itself, and may have had it.
  if (rest.length === 0 || asked.length < kinds.length) return null
  if (asked.some((capability) => hasMember(capability, first, rest))) return null
  // What it stands in is missing too, and is named.
  if (rest.length > 1 && !asked.some((one) => hasMember(one, first, rest.slice(0, -1)))) return null
  const what = first === 'params' ? 'parameter' : 'measure'
  const who = actions === null ? 'any capability' : `\`${actions.join('`, `')}\``
  return { name, why: `no ${what} of ${who}` }
}

function hasMember(
  { measures, hasParameter }: KnownCapability,
  first: string,
  rest: readonly string[],
): boolean {
  if (first === 'params') return hasParameter(rest)
  return first !== 'measures' || (rest.length === 1 && measures.includes(rest[0] ?? ''))
}
