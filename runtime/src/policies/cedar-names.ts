/**
 * The names that Cedar rules speak of: actions and other entities, their types, and members of
 * `context`, each with the line that it stands on.
 */
import { isObject, type JsonValue } from 'rubicon-kernel'
import { askDraft } from './cedar-evaluator.ts'
import { type CedarStatement, cutStatements, stripComments } from './cedar-statements.ts'

export type CedarName = {
  /** Counted in the text, from 0. */
  readonly rule: number
  readonly line: number
} & (
  | { readonly kind: 'entity'; readonly type: string; readonly id: string }
  | { readonly kind: 'type'; readonly type: string }
  /** What its head asks of `principal` or `resource`. */
  | { readonly kind: 'head'; readonly variable: 'principal' | 'resource'; readonly type: string }
  /** `context.params.order` is `['params', 'order']`. */
  | { readonly kind: 'member'; readonly path: readonly string[] }
)

export type NamedInRule = {
  readonly names: readonly CedarName[]
  /** The actions of its head, which alone it is asked about; null: all. */
  readonly actions: readonly string[] | null
}

/** Of a text that was loaded before. */
export function listCedarNames(text: string): readonly NamedInRule[] {
  return cutStatements(text).map((statement, rule) => {
    const parsed = askDraft((evaluator) => evaluator.policyToJson(statement.text))
    const json = parsed.type === 'success' ? parseTree(parsed.json) : null
    const found = json === null ? [] : [...collectNames(json), ...listHeadTypes(json)]
    const names = found.map((one) => ({ ...one, rule, line: findLine(statement, one) }))
    return { names, actions: findHeadActions(json) }
  })
}

/** The tree is JSON as the evaluator writes it. */
function parseTree(json: unknown): JsonValue {
  return json as JsonValue
}

type Name = CedarName extends infer N
  ? N extends unknown
    ? Omit<N, 'rule' | 'line'>
    : never
  : never

/** Without recursion: a long chain of `&&` is as deep as it is long. */
function collectNames(tree: JsonValue): readonly Name[] {
  const found: Name[] = []
  const waiting: JsonValue[] = [tree]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (typeof node !== 'object' || node === null) continue
    if (isObject(node)) found.push(...readNames(node))
    waiting.push(...Object.values(node))
  }
  return found
}

function readNames(node: { readonly [name: string]: JsonValue }): readonly Name[] {
  const { type, id, entity_type } = node
  if (typeof type === 'string' && typeof id === 'string') return [{ kind: 'entity', type, id }]
  if (typeof entity_type === 'string') return [{ kind: 'type', type: entity_type }]
  const read = findMemberPath(node['.'])
  if (read !== null) return [{ kind: 'member', path: read }]
  const asked = findMemberPath(node.has)
  return asked === null ? [] : [{ kind: 'member', path: asked }]
}

/** From `context` on; null: it is a member of something else. */
export function findMemberPath(access: JsonValue | undefined): readonly string[] | null {
  const path: string[] = []
  for (let at = access; isObject(at); ) {
    const { left, attr } = at
    if (attr === undefined || !isObject(left)) return null
    path.unshift(...(Array.isArray(attr) ? attr : [attr]).map(String))
    if (left.Var === 'context') return path
    at = left['.']
  }
  return null
}

/** The type of whom a rule is about. Cedar itself asks that of actions alone. */
function listHeadTypes(json: JsonValue): readonly Name[] {
  return (['principal', 'resource'] as const).flatMap((variable): readonly Name[] => {
    const asked = isObject(json) ? json[variable] : undefined
    if (!isObject(asked)) return []
    const { entity, entity_type } = asked
    const type = isObject(entity) ? entity.type : entity_type
    return typeof type === 'string' ? [{ kind: 'head', variable, type }] : []
  })
}

/** The actions that the head of a rule names, which alone it is asked about; null: all, or it cannot be told. */
export function findHeadActions(json: JsonValue): readonly string[] | null {
  const action = isObject(json) ? json.action : undefined
  if (!isObject(action)) return null
  const entities = Array.isArray(action.entities) ? action.entities : [action.entity]
  const ids = entities.flatMap((one) =>
    isObject(one) && typeof one.id === 'string' ? [one.id] : [],
  )
  return ids.length === 0 || ids.length < entities.length ? null : ids
}

const LINE_END = /\r\n|\r|\n/

/** Of the first place where it stands; of the rule where that cannot be told. */
function findLine({ text, line }: CedarStatement, name: Name): number {
  const code = stripComments(text)
  const at = listPatterns(name)
    .map((place) => code.search(place))
    .find((place) => place >= 0)
  return line + (at === undefined ? 0 : code.slice(0, at).split(LINE_END).length - 1)
}

/** The best first: with what stands before it, then alone. */
function listPatterns(name: Name): readonly RegExp[] {
  if (name.kind === 'head') return [new RegExp(`\\b${name.variable}\\b`)]
  if (name.kind === 'type') return [new RegExp(`\\b${escapePattern(name.type)}\\b`)]
  if (name.kind === 'entity') {
    const [type, id] = [escapePattern(name.type), escapePattern(name.id)]
    return [new RegExp(`${type}\\s*::\\s*"${id}"`)]
  }
  const own = escapePattern(name.path.at(-1) ?? '')
  const before = escapePattern(name.path.at(-2) ?? 'context')
  const written = `(?:\\s*\\.\\s*${own}\\b|\\s*\\[\\s*"${own}"|\\s+has\\s+"?${own}\\b)`
  return [new RegExp(`\\b${before}"?\\s*\\]?${written}`), new RegExp(written)]
}

/** As it is, in a pattern. */
function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
