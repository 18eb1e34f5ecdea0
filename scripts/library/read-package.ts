/**
 * Reads the exported declarations of a module by the compiler that checks them, so that a page says what the types
 * say: members of what a type is made of (`Pick`, `Omit`, `&`) are found where they are declared, with their sentences.
 */
import { relative } from 'node:path'
import {
  type ClassDeclaration,
  type FunctionDeclaration,
  type Node,
  SyntaxKind,
  type TypeAliasDeclaration,
  type VariableDeclaration,
} from 'typescript/unstable/ast'
import {
  API,
  type Checker,
  type Symbol as DeclaredSymbol,
  NodeBuilderFlags,
  type Project,
  SymbolFlags,
  type Type,
} from 'typescript/unstable/sync'
import type { LibraryDeclaration, LibraryMember } from './declaration.ts'

/** Reads modules of one project, with one compiler that is asked again and again. */
export class PackageReader {
  readonly #api: API
  readonly #root: string

  constructor(root: string) {
    this.#root = root
    this.#api = new API({ cwd: root })
  }

  /** `config`: the tsconfig.json of its project. Both are absolute paths. */
  readModule(config: string, file: string): readonly LibraryDeclaration[] {
    const project = this.#api.updateSnapshot({ openProjects: [config] }).getProject(config)
    const source = project?.program.getSourceFile(file)
    if (project === undefined || source === undefined) throw new Error(`${config} has no ${file}`)
    const module = project.checker.getSymbolAtLocation(source)
    if (module === undefined) throw new Error(`${file} exports nothing`)
    const reading = new ModuleReading(project, this.#root)
    return project.checker
      .getExportsOfModule(module)
      .map((symbol) => reading.describeSymbol(symbol))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  }

  close(): void {
    this.#api.close()
  }
}

class ModuleReading {
  readonly #project: Project
  readonly #checker: Checker
  readonly #root: string

  constructor(project: Project, root: string) {
    this.#project = project
    this.#checker = project.checker
    this.#root = root
  }

  describeSymbol(exported: DeclaredSymbol): LibraryDeclaration {
    const isAlias = (exported.flags & SymbolFlags.Alias) !== 0
    const symbol = isAlias ? this.#checker.getAliasedSymbol(exported) : exported
    const [node] = this.#listNodes(symbol)
    if (node === undefined) throw new Error(`\`${exported.name}\` is declared nowhere`)
    const { name } = exported
    const says = this.#readSentence(symbol)
    const place = this.#toPlace(node)
    switch (node.kind) {
      case SyntaxKind.FunctionDeclaration: {
        const text = stripDeclaration(cutBody(node as FunctionDeclaration))
        return { name, kind: 'function', says, place, text, members: [] }
      }
      case SyntaxKind.ClassDeclaration: {
        const members = this.#listMembers(this.#checker.getDeclaredTypeOfSymbol(symbol))
        return { name, kind: 'class', says, place, text: formatClass(node), members }
      }
      case SyntaxKind.InterfaceDeclaration:
      case SyntaxKind.TypeAliasDeclaration: {
        const type = this.#checker.getDeclaredTypeOfSymbol(symbol)
        const written = formatTypeText(node)
        // What is made from a constant says nothing by itself.
        const text = written.includes('typeof ')
          ? `type ${name} = ${this.#checker.typeToString(type, undefined, WHOLE)}`
          : written
        return { name, kind: 'type', says, place, text, members: this.#listMembers(type) }
      }
      case SyntaxKind.VariableDeclaration: {
        const type = this.#checker.getTypeOfSymbol(symbol)
        const members = type === undefined ? [] : this.#listMembers(type)
        const text = formatConstant(node as VariableDeclaration)
        return { name, kind: 'constant', says, place, text, members }
      }
      default:
        throw new Error(`${place}: \`${name}\` is of a kind that this page has no words for`)
    }
  }

  /** Of a union those of each of its parts; what the language itself gives is no member of ours. */
  #listMembers(type: Type): readonly LibraryMember[] {
    const parts = type.isUnionType() ? type.getTypes() : [type]
    const members = parts.flatMap((part) => this.#checker.getPropertiesOfType(part))
    const found = new Map<string, LibraryMember>()
    for (const symbol of members) {
      const [node] = this.#listNodes(symbol)
      if (node === undefined || symbol.name.startsWith('__') || isHidden(node)) continue
      const member = this.#describeMember(symbol, node, parts.length > 1)
      for (const one of [member, ...this.#listInner(symbol, member, node)]) {
        const key = `${one.name} ${one.text}`
        if ((found.get(key)?.says ?? '') === '') found.set(key, one)
      }
    }
    return [...found.values()]
  }

  /** Members of a member, by their path. */
  #listInner(
    symbol: DeclaredSymbol,
    { name }: LibraryMember,
    node: Node,
  ): readonly LibraryMember[] {
    const type = isListedApart((node as MemberNode).type)
      ? this.#checker.getTypeOfSymbol(symbol)
      : undefined
    if (type === undefined) return []
    const given = this.#checker.getNonNullableType(type) ?? type
    return this.#listMembers(given).map((inner) => ({
      ...inner,
      name: `${name}.${inner.name}`,
      text: `${name}.${inner.text}`,
    }))
  }

  #describeMember(symbol: DeclaredSymbol, node: Node, isOfUnion: boolean): LibraryMember {
    const { name } = symbol
    const isOptional = (symbol.flags & SymbolFlags.Optional) !== 0
    const text = formatMember(node, name, isOptional)
    const said = this.#readSentence(symbol)
    const says =
      said === '' && isOfUnion && LITERAL.test(text) ? 'Tells this form from the others' : said
    return { name, text, says, place: this.#toPlace(node) }
  }

  #listNodes(symbol: DeclaredSymbol): readonly Node[] {
    return symbol.declarations
      .filter(({ path }) => path.startsWith(this.#root) && !path.includes('/node_modules/'))
      .map((handle) => handle.resolve(this.#project))
      .filter((node) => node !== undefined)
  }

  #readSentence(symbol: DeclaredSymbol): string {
    const text = this.#checker.getDocumentationCommentOfSymbol(symbol)
    return text.replaceAll(/\s+/g, ' ').trim()
  }

  #toPlace(node: Node): string {
    const file = node.getSourceFile()
    const { line } = file.getLineAndCharacterOfPosition(node.getStart(file))
    return `${relative(this.#root, file.fileName)}:${line + 1}`
  }
}

/** Not shortened, and without the name of the type itself. */
const WHOLE = NodeBuilderFlags.NoTruncation | NodeBuilderFlags.InTypeAlias

/** A member that has one value. */
const LITERAL = /^\w+: (?:'[^']*'|true|false)$/

function isHidden(node: Node): boolean {
  return /^(?:private|protected|static|override)\b|^#/.test(node.getText())
}

/** Up to its body. */
function cutBody(node: FunctionDeclaration): string {
  const file = node.getSourceFile()
  const start = node.getStart(file)
  return file.text.slice(start, node.body?.getStart(file) ?? node.end)
}

function formatClass(node: Node): string {
  const { heritageClauses = [] } = node as ClassDeclaration
  const file = node.getSourceFile()
  const start = node.getStart(file)
  const head = file.text.slice(start, file.text.indexOf('{', heritageClauses.at(-1)?.end ?? start))
  return stripDeclaration(head)
}

/** An object says everything in its members. */
function formatTypeText(node: Node): string {
  if (node.kind === SyntaxKind.InterfaceDeclaration) return ''
  const { type } = node as TypeAliasDeclaration
  return type.kind === SyntaxKind.TypeLiteral ? '' : stripDeclaration(node.getText())
}

function formatConstant(node: VariableDeclaration): string {
  const type = node.type === undefined ? '' : `: ${node.type.getText()}`
  return stripDeclaration(`const ${node.name.getText()}${type}`)
}

/** From its name on: the modifiers before it are the same everywhere. */
function formatMember(node: Node, name: string, isOptional: boolean): string {
  const file = node.getSourceFile()
  const { name: named, type, body } = node as MemberNode
  if (named === undefined || node.kind === SyntaxKind.PropertyAssignment) return name
  const mark = isOptional ? '?' : ''
  if (isListedApart(type)) return `${name}${mark}: {…}`
  const text = file.text.slice(named.end, body?.getStart(file) ?? node.end)
  return `${name}${mark}${toOneLine(stripComments(text)).replace(/^[?!]/, '')}`
}

/** What the declarations of members have in common. */
type MemberNode = Node & { readonly name?: Node; readonly type?: Node; readonly body?: Node }

/** An object that is written over several lines has members of its own; a short one is said with its member. */
function isListedApart(type: Node | undefined): boolean {
  return type?.kind === SyntaxKind.TypeLiteral && stripComments(type.getText()).includes('\n')
}

/** Members that stand on lines of their own are set apart by semicolons. */
function toOneLine(text: string): string {
  return text
    .trim()
    .replaceAll(/(?<=[^{(<|&,;=:?])\n\s*(?=[\w[])/g, '; ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/readonly (?=\w+\??:)/g, '')
    .replace(/[;,]$/, '')
}

/** As a reader would write it down: without `export`, comments and what the source has behind it. */
function stripDeclaration(text: string): string {
  return stripComments(text)
    .replace(/^export /, '')
    .trim()
}

function stripComments(text: string): string {
  return text
    .replaceAll(/\/\*[\s\S]*?\*\/\n?/g, '')
    .replaceAll(/^\s*\/\/.*\n/gm, '')
    .replaceAll(/\n[ \t]+(?=\n)/g, '')
    .replaceAll(/\n{2,}/g, '\n')
}
