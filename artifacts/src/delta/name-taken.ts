/** Whether two declarations of one name stand in each other's way. */
import type { SymbolNode } from '../tree/symbol-node.ts'

/** What a kind of declaration takes a name for: a value, a type, reading and writing a member. Kinds that are not here are told apart. */
// A map: `constructor` is a kind, and every object has something of that name.
const TAKES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    function: ['value'],
    variable: ['value'],
    class: ['value', 'type'],
    enum: ['value', 'type'],
    import_equals: ['value', 'type'],
    interface: ['type'],
    type: ['type'],
    method: ['get', 'set'],
    field: ['get', 'set'],
    property: ['get', 'set'],
    getter: ['get'],
    setter: ['set'],
    static_method: ['static get', 'static set'],
    static_field: ['static get', 'static set'],
    static_getter: ['static get'],
    static_setter: ['static set'],
  }),
)

/** What has no name of its own may be there more than once. */
const REPEATABLE: ReadonlySet<string> = new Set([
  'statement',
  'directive',
  'import',
  'export',
  'export_all',
  'index',
  'item',
  'spread',
])

type Named = Pick<SymbolNode, 'kind' | 'name'>

export function isNameTaken(one: Named, other: Named): boolean {
  if (one.name !== other.name || REPEATABLE.has(one.kind)) return false
  if (one.kind === other.kind) return true
  // A class and an interface of one name are one type.
  const isMerged = [one, other].every(({ kind }) => kind === 'class' || kind === 'interface')
  const taken = TAKES.get(other.kind) ?? []
  return !isMerged && (TAKES.get(one.kind) ?? []).some((use) => taken.includes(use))
}

/** Names that are imported are taken for whatever is declared beside them. */
export function isDeclared({ kind }: Named): boolean {
  return (TAKES.get(kind) ?? []).some((use) => use === 'value' || use === 'type')
}
