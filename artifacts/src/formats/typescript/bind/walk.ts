/** One pass over a program: what is declared goes into scopes, what is used is kept until all of it is declared. */
import type { Node } from 'oxc-parser'
import type { Span } from '../../../text/span.ts'
import type { ImportOrigin, NameSite } from '../../format-names.ts'
import { listChildren } from '../read-program.ts'
import { type Binding, MEANING, type NameUse, Scope } from './scope.ts'

/** A name that others can import. */
export type ExportedName = {
  readonly name: string
  readonly at: Span
  readonly binding: Binding | null
  readonly use: NameUse | null
  readonly origin: ImportOrigin | null
}

/** A name of another module, where it is written as that module calls it. */
export type ForeignName = { readonly origin: ImportOrigin; readonly site: NameSite }

/** What documentation comments are about, and the scope that it is in. */
export type DocHost = {
  readonly node: Node
  readonly scope: Scope
  readonly comments: readonly Span[]
}

/** Visits a node if it is one of its own; false: somebody else's, or one whose parts are visited as they come. */
export type Visitor = (walk: Walk, node: Node, scope: Scope) => boolean

/** What a name of a tree has, whichever kind of name it is. */
export type NamedNode = Span & { readonly name: string }

const NAME_PART = /(?:\\u\{[0-9a-fA-F]+\}|\\u[0-9a-fA-F]{4}|[\p{ID_Continue}$\u200C\u200D])+/uy

function isDocumentable({ type }: Node): boolean {
  return type.endsWith('Statement') || type.endsWith('Declaration') || DOCUMENTED.has(type)
}

const DOCUMENTED: ReadonlySet<string> = new Set([
  'MethodDefinition',
  'TSAbstractMethodDefinition',
  'PropertyDefinition',
  'TSAbstractPropertyDefinition',
  'AccessorProperty',
  'StaticBlock',
  'TSPropertySignature',
  'TSMethodSignature',
  'TSIndexSignature',
  'TSEnumMember',
  'Property',
  'SpreadElement',
  'VariableDeclarator',
  'TSTypeParameter',
  'ArrowFunctionExpression',
  'FunctionExpression',
  'ClassExpression',
  'ParenthesizedExpression',
  'ExportSpecifier',
  'SwitchCase',
  'TSNamedTupleMember',
  'TSFunctionType',
  'TSConstructorType',
  'TSDeclareFunction',
  'TSExportAssignment',
])

export class Walk {
  readonly text: string
  readonly global: Scope = new Scope('global', null)
  /** What it exports where it is declared is one thing, what it declares for itself another, even by one name. */
  readonly exported: Scope = new Scope('block', null)
  readonly module: Scope = new Scope('function', this.global, this.exported)
  readonly uses: NameUse[] = []
  readonly bindings: Set<Binding> = new Set()
  /** What each name stands for, by where it begins. */
  readonly things: Map<number, Binding> = new Map()
  /** What is declared by its statement for a scope around it: the scope of the statement. */
  readonly hoisted: { readonly binding: Binding; readonly scope: Scope }[] = []
  /** Names of functions that are used as classes. */
  readonly prototypes: { readonly name: string; readonly scope: Scope }[] = []
  /** Names that stand between two things, by where they begin. */
  readonly divided: Set<number> = new Set()
  /** Scopes in which names are looked up when the program runs: in a text that is evaluated, or in an object. */
  readonly dynamic: Scope[] = []
  readonly exports: ExportedName[] = []
  readonly foreign: ForeignName[] = []
  /** Modules that all is exported from again. */
  readonly reexported: string[] = []
  /** Blocks of one ambient module are one namespace. */
  readonly ambient: Map<string, Binding> = new Map()
  /** What such modules export of what they declare. */
  readonly ambientUses: { readonly module: Binding; readonly use: NameUse }[] = []
  /** Where a scope begins, by the node that has it. */
  readonly scopes: Map<Node, Scope> = new Map()
  readonly docHosts: DocHost[] = []
  /** What is visited stands in a comment. */
  isDoc = false
  isStrict = false
  /** It is written with types. */
  isTyped = true
  /** Nothing of it runs: it says what is elsewhere. */
  isAmbient = false
  readonly #visitors: readonly Visitor[]
  /** Documentation comments, by where what they are about begins. */
  readonly #docs: Map<number, readonly Span[]>

  constructor(text: string, visitors: readonly Visitor[], docs: Map<number, readonly Span[]>) {
    this.text = text
    this.#visitors = visitors
    this.#docs = docs
  }

  visit(node: Node | null | undefined, scope: Scope): void {
    if (node === null || node === undefined) return
    this.keepDocs(node, scope)
    for (const visitor of this.#visitors) if (visitor(this, node, scope)) return
    this.visitChildren(node, scope)
  }

  /** A comment is about the outermost node behind it that can have one. */
  keepDocs(node: Node, scope: Scope): void {
    const comments = this.#docs.get(node.start)
    if (comments === undefined || this.isDoc || !isDocumentable(node)) return
    this.#docs.delete(node.start)
    this.docHosts.push({ node, scope, comments })
  }

  visitChildren(node: Node, scope: Scope): void {
    for (const child of listChildren(node)) this.visit(child, scope)
  }

  visitAll(nodes: readonly (Node | null)[] | null | undefined, scope: Scope): void {
    for (const node of nodes ?? []) this.visit(node, scope)
  }

  openScope(kind: 'function' | 'parameters' | 'block' | 'label', parent: Scope, node: Node): Scope {
    return this.keepScope(node, new Scope(kind, parent))
  }

  keepScope(node: Node, scope: Scope): Scope {
    this.scopes.set(node, scope)
    return scope
  }

  declare(scope: Scope, id: NamedNode, meaning: number, around?: Partial<NameSite>): Binding {
    const site = this.toSite(id, around)
    const binding = scope.declare(id.name, meaning)
    binding.isDoc = this.isDoc
    binding.declarations.push({ start: site.start, end: site.end })
    this.addSite(binding, site)
    return binding
  }

  addSite(binding: Binding, site: NameSite): void {
    this.bindings.add(binding)
    this.things.set(site.start, binding)
    binding.sites.push(site)
    if (this.text.slice(site.start, site.end).includes('\\'))
      binding.unfit = 'its name is written with an escape'
  }

  use(scope: Scope, id: NamedNode, meaning: number, around?: Partial<NameSite>): NameUse {
    return this.#keep(id.name, scope, meaning, this.toSite(id, around), null)
  }

  /** A name behind a dot. */
  useMember(of: NameUse, name: string, at: Span, meaning: number): NameUse {
    of.isQualifier = true
    return this.#keep(name, of.scope, meaning, { ...at, prefix: '', suffix: '' }, of)
  }

  #keep(name: string, scope: Scope, meaning: number, site: NameSite, of: NameUse | null): NameUse {
    const { isDoc } = this
    const use = { name, scope, meaning, site, of, isDoc, isQualifier: isDoc, found: undefined }
    this.uses.push(use)
    return use
  }

  /** A module that is got hold of as a whole: what of it is used is not told. */
  keepWhole(from: string): void {
    const site = { start: 0, end: 0, prefix: '', suffix: '' }
    this.foreign.push({ origin: { from, name: null }, site })
  }

  /** Of the name alone: the parser counts what is written about its type as a part of it. */
  toSite({ name, start }: NamedNode, around: Partial<NameSite> = {}): NameSite {
    let end = start + name.length
    if (!this.text.startsWith(name, start)) {
      NAME_PART.lastIndex = start
      end = start + (NAME_PART.exec(this.text)?.[0].length ?? name.length)
    }
    return { start, end, prefix: around.prefix ?? '', suffix: around.suffix ?? '' }
  }

  /** A name with dots, as `a.b.c`; null: it begins with something that is no name. */
  useEntity(node: Node, scope: Scope, meaning: number): NameUse | null {
    const before = meaning === MEANING.value ? MEANING.value : MEANING.namespace
    switch (node.type) {
      case 'Identifier':
      case 'JSXIdentifier':
        return this.use(scope, node, meaning)
      case 'TSQualifiedName':
        return this.#useBehind(node.left, node.right, scope, before, meaning)
      case 'JSXMemberExpression':
        return this.#useBehind(node.object, node.property, scope, before, meaning)
      case 'MemberExpression':
        if (!node.computed && node.property.type === 'Identifier')
          return this.#useBehind(node.object, node.property, scope, before, meaning)
        if (node.computed && node.property.type === 'Literal') {
          const { value, start, end } = node.property
          const of = this.useEntity(node.object, scope, before)
          if (of === null || typeof value !== 'string') return null
          return this.useMember(of, value, { start: start + 1, end: end - 1 }, meaning)
        }
        this.visit(node.object, scope)
        this.visit(node.property, scope)
        return null
      case 'ParenthesizedExpression':
      case 'TSNonNullExpression':
        return this.useEntity(node.expression, scope, meaning)
      default:
        this.visit(node, scope)
        return null
    }
  }

  #useBehind(
    left: Node,
    right: NamedNode,
    scope: Scope,
    before: number,
    meaning: number,
  ): NameUse | null {
    const of = this.useEntity(left, scope, before)
    return of === null ? null : this.useMember(of, right.name, this.toSite(right), meaning)
  }
}
