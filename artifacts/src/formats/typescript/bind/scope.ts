/**
 * What names stand for, by the scope that they are written in.
 *
 * N1 one name has one binding in one scope, whatever it means there: as a value, as a type, as a namespace. Declarations of one name in
 * one scope are one thing with several meanings, as the compiler reads them (an interface and a class, the overloads of a function).
 * N2 a name stands for the binding of the innermost scope that has it with the meaning that is asked for.
 */
import type { Span } from '../../../text/span.ts'
import type { ImportOrigin, NameSite } from '../../format-names.ts'

/** What a name can be asked for; several are added up. */
export const MEANING = { value: 1, type: 2, namespace: 4, all: 7, label: 8 } as const

export class Binding {
  readonly name: string
  meaning = 0
  readonly declarations: Span[] = []
  /** Its declarations with it. */
  readonly sites: NameSite[] = []
  /** What a namespace exports and what an enum has: all its declarations share them. */
  members: Scope | null = null
  /** What a class or an interface is a type over: all its declarations share them. */
  parameters: Scope | null = null
  /** The namespace or the enum that it is a member of. */
  holder: Binding | null = null
  /** Static members of a class of that name: a member of a namespace that has the name of one is one with it. */
  readonly statics: Set<string> = new Set()
  origin: ImportOrigin | null = null
  /** `import a = b.c`: what it is another name of. */
  alias: NameUse | null = null
  isExported = false
  /** A parameter that is a name by itself, not a part of a pattern. */
  isParameter = false
  /** Declared in a comment, as a parameter of a function type is: it is no name of the program. */
  isDoc = false
  /** It was used as a value by itself: who has it can get at its members without naming it. */
  isPassedOn = false
  /** Why its places cannot all be told; null: they can. */
  unfit: string | null = null

  constructor(name: string) {
    this.name = name
  }
}

/** A name that is used, before it is known what it stands for. */
export type NameUse = {
  readonly name: string
  readonly meaning: number
  readonly site: NameSite
  readonly scope: Scope
  /** The name before the dot. */
  readonly of: NameUse | null
  /** Written in a comment: nothing depends on it. */
  readonly isDoc: boolean
  /** A name behind the dot follows, or nobody gets hold of it. */
  isQualifier: boolean
  /** Undefined: not looked up yet. */
  found: Binding | null | undefined
}

/**
 * `function`: holds what is declared by `var` within it. `parameters`: what a function's body can name and its own declarations merge
 * with. `label`: has a label and nothing else, so what is declared in it belongs to the scope around it. `export`: what is declared in it
 * belongs to the module around it, or to all blocks of the namespace, and is seen from outside.
 */
export type ScopeKind = 'global' | 'function' | 'parameters' | 'block' | 'label' | 'export'

const HOLDS_VARIABLES: ReadonlySet<ScopeKind> = new Set(['global', 'function', 'export'])

export class Scope {
  readonly kind: ScopeKind
  readonly parent: Scope | null
  readonly names: Map<string, Binding> = new Map()
  /** What is seen here beside its own: the names that all blocks of one namespace share. */
  readonly shared: Scope | null
  /** Whose members it holds. */
  readonly owner: Binding | null

  constructor(
    kind: ScopeKind,
    parent: Scope | null,
    shared: Scope | null = null,
    owner: Binding | null = null,
  ) {
    this.kind = kind
    this.parent = parent
    this.shared = shared
    this.owner = owner
  }

  find(name: string, meaning: number): Binding | null {
    for (let scope: Scope | null = this; scope !== null; scope = scope.parent) {
      const own = scope.names.get(name)
      if (own !== undefined && (own.meaning & meaning) !== 0) return own
      const shared = scope.shared?.names.get(name)
      if (shared !== undefined && (shared.meaning & meaning) !== 0) return shared
    }
    return null
  }

  declare(name: string, meaning: number): Binding {
    if (this.kind === 'label' && meaning !== MEANING.label && this.parent !== null)
      return this.parent.declare(name, meaning)
    if (this.kind === 'export') {
      const exported = (this.shared ?? this.parent ?? this).declare(name, meaning)
      exported.isExported = true
      return exported
    }
    const isBody = this.kind === 'function' && this.parent?.kind === 'parameters'
    const holder = isBody && this.parent?.names.has(name) === true ? this.parent : this
    const binding = holder.names.get(name) ?? new Binding(name)
    holder.names.set(name, binding)
    binding.meaning |= meaning
    binding.holder = holder.owner
    return binding
  }

  /** Where a `var` that is written here is declared. */
  findFunction(): Scope {
    let scope: Scope = this
    while (!HOLDS_VARIABLES.has(scope.kind) && scope.parent !== null) scope = scope.parent
    return scope
  }
}
