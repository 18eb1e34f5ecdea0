/** Names of TypeScript and JavaScript, by what they stand for. */
import { err, ok, type Result } from 'rubicon-kernel'
import { isInside, type Span } from '../../../text/span.ts'
import { findSymbol } from '../../../tree/find-symbol.ts'
import type { ParsedText } from '../../../tree/parsed.ts'
import type { SymbolNode } from '../../../tree/symbol-node.ts'
import type { Reference } from '../../format.ts'
import type {
  FormatNames,
  ModuleExport,
  ModuleExports,
  NameInText,
  NameProblem,
  NameSite,
  SymbolSites,
} from '../../format-names.ts'
import { readProgram } from '../read-program.ts'
import { bindProgram } from './bind-program.ts'
import { refuseName } from './reserved-words.ts'
import type { Binding, NameUse } from './scope.ts'
import type { ExportedName, Walk } from './walk.ts'

export class TypescriptNames implements FormatNames {
  readonly #fileName: string
  /** By the text that was parsed: as long as somebody has it. */
  readonly #bound = new WeakMap<ParsedText, Walk | null>()

  constructor(fileName: string) {
    this.#fileName = fileName
  }

  /** Null: it does not parse, so it is no text of this format. */
  bind(parsed: ParsedText): Walk | null {
    const known = this.#bound.get(parsed)
    if (known !== undefined) return known
    const read = readProgram(parsed.text, this.#fileName)
    const walk = read.ok ? bindProgram(parsed.text, read.value, this.#fileName) : null
    this.#bound.set(parsed, walk)
    return walk
  }

  refuseName(name: string): string | null {
    return refuseName(name)
  }

  findSites(parsed: ParsedText, path: string): Result<SymbolSites, NameProblem> {
    const symbol = findSymbol(parsed, path)
    if (!symbol.ok) return err({ detail: symbol.error.detail, at: null })
    const binding = this.#findBinding(parsed, symbol.value)
    const { nameSpan } = symbol.value
    if (binding === null)
      return err({ detail: `the uses of \`${path}\` cannot be told without types`, at: nameSpan })
    const problem = explainUnfit(binding)
    if (problem !== null) return err({ detail: `\`${path}\`: ${problem}`, at: nameSpan })
    const owner = binding.holder?.declarations[0]
    const memberOf = owner === undefined ? null : findDeclaring(parsed.symbols, owner)
    return ok({
      sites: sortSites(binding.sites),
      exportedAs: binding.isExported && binding.holder === null ? [binding.name] : [],
      memberOf: memberOf?.path ?? null,
    })
  }

  findOccurrences(parsed: ParsedText, path: string): readonly Span[] | null {
    const found = this.findSites(parsed, path)
    return found.ok ? found.value.sites.map(({ start, end }) => ({ start, end })) : null
  }

  #findBinding(parsed: ParsedText, { nameSpan }: SymbolNode): Binding | null {
    if (nameSpan === null) return null
    const found = this.findThingAt(parsed, nameSpan.start)
    const isDeclared = found?.declarations.some(({ start }) => start === nameSpan.start)
    return isDeclared === true ? (found ?? null) : null
  }

  /** What the name that begins there stands for, be it declared there or used. */
  findThingAt(parsed: ParsedText, start: number): Binding | undefined {
    return this.bind(parsed)?.things.get(start)
  }

  findSitesAt(parsed: ParsedText, start: number): readonly NameSite[] | null {
    const binding = this.findThingAt(parsed, start)
    return binding === undefined ? null : sortSites(binding.sites)
  }

  listNames(parsed: ParsedText): readonly NameInText[] {
    const walk = this.bind(parsed)
    if (walk === null) return []
    const named = [...walk.bindings].filter(({ isDoc }) => !isDoc)
    const things = new Map(named.map((binding, thing) => [binding, thing]))
    const declared = [...things].flatMap(([{ declarations }, thing]) =>
      declarations.map(({ start, end }) => ({ start, end, thing, isDeclared: true as const })),
    )
    // What is behind a dot and is no member of a namespace is a property, not a name that could be declared.
    const used = walk.uses
      .filter(({ found, of, isDoc }) => !isDoc && (of === null || (found ?? null) !== null))
      .map(({ site: { start, end }, found }) => {
        const thing = found === null || found === undefined ? null : things.get(found)
        return { start, end, thing: thing ?? null }
      })
    return [...declared, ...used]
      .map((name) => (walk.divided.has(name.start) ? { ...name, thing: null } : name))
      .sort((a, b) => a.start - b.start)
  }

  findReferences(parsed: ParsedText, within: Span): readonly Reference[] {
    const uses = this.bind(parsed)?.uses ?? []
    return uses
      .filter(({ site, isDoc }) => !isDoc && isInside(site, within))
      .flatMap((use) => this.#toReferences(parsed, use, within))
      .sort((a, b) => a.at.start - b.at.start)
  }

  #toReferences(parsed: ParsedText, use: NameUse, within: Span): readonly Reference[] {
    const { name, site, found, of } = use
    const at = { start: site.start, end: site.end }
    const binding = found ?? null
    if (binding === null) {
      if (of === null) return [{ name, at, to: { kind: 'free' } }]
      const origin = of.found?.origin ?? null
      return origin !== null && origin.name === null
        ? [{ name, at, to: { kind: 'import', from: origin.from, name } }]
        : []
    }
    if (binding.origin !== null) {
      // Behind the dot it is said what of it is meant.
      const isNamed = use.isQualifier && binding.origin.name === null
      return isNamed ? [] : [{ name, at, to: { kind: 'import', ...binding.origin } }]
    }
    const outside = binding.declarations.filter((span) => !isInside(span, within))
    return findPaths(parsed, outside).map((path) => ({ name, at, to: { kind: 'symbol', path } }))
  }

  listExports(parsed: ParsedText): ModuleExports {
    const walk = this.bind(parsed)
    if (walk === null) return { names: [], all: [] }
    const declared = [...walk.exported.names.values()]
    const names = [
      ...declared.map((binding) =>
        toExport(parsed, binding.name, binding.declarations[0], binding),
      ),
      ...walk.exports.map((exported) => toListedExport(parsed, exported)),
    ]
    return { names, all: walk.reexported }
  }

  findForeign(parsed: ParsedText, from: string, name: string): readonly NameSite[] | null {
    const walk = this.bind(parsed)
    if (walk === null) return null
    const exported = new Set(walk.exports.map(({ use }) => use?.found))
    for (const binding of walk.bindings) {
      const { origin, isPassedOn, isExported } = binding
      if (origin?.from !== from || origin.name !== null) continue
      if (isPassedOn || isExported || exported.has(binding)) return null
    }
    const mine = walk.foreign.filter(({ origin }) => origin.from === from)
    if (mine.some(({ origin }) => origin.name === null)) return null
    return sortSites(mine.filter(({ origin }) => origin.name === name).map(({ site }) => site))
  }
}

export function explainUnfit({ name, unfit, holder }: Binding): string | null {
  if (unfit !== null) return unfit
  if (holder?.statics.has(name) === true)
    return 'it is a member of a class too, whose uses cannot be told without types'
  if (holder?.isPassedOn === true)
    return `\`${holder.name}\` is used as a value by itself, so the uses of its members cannot be told without types`
  return null
}

export function sortSites(sites: readonly NameSite[]): readonly NameSite[] {
  return [...sites].sort((a, b) => a.start - b.start)
}

function toListedExport(parsed: ParsedText, exported: ExportedName): ModuleExport {
  const { name, at, binding, use, origin } = exported
  if (origin !== null) return { name, at, to: { kind: 'import', ...origin } }
  return toExport(parsed, name, at, binding ?? use?.found ?? null)
}

function toExport(
  parsed: ParsedText,
  name: string,
  at: Span | undefined,
  binding: Binding | null,
): ModuleExport {
  const place = at ?? { start: 0, end: 0 }
  if (binding === null) return { name, at: place, to: { kind: 'value' } }
  if (binding.origin !== null) return { name, at: place, to: { kind: 'import', ...binding.origin } }
  return { name, at: place, to: { kind: 'symbol', paths: findPaths(parsed, binding.declarations) } }
}

/** The symbols that declare it: several where declarations are merged. */
function findPaths({ symbols }: ParsedText, declarations: readonly Span[]): readonly string[] {
  const paths = declarations.flatMap((span) => findDeclaring(symbols, span)?.path ?? [])
  return [...new Set(paths)]
}

/** The innermost symbol that a name is written in. */
function findDeclaring(symbols: readonly SymbolNode[], span: Span): SymbolNode | null {
  const holder = symbols.find(({ own }) => isInside(span, own))
  return holder === undefined ? null : (findDeclaring(holder.children, span) ?? holder)
}
