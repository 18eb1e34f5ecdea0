/** B4: what stands in a composed text is the sum of what each entry did to the base. */
import { listImported, readImports } from '../delta/imports/read-imports.ts'
import { isDeclared, isNameTaken } from '../delta/name-taken.ts'
import type { ParsedText } from '../tree/parsed.ts'
import type { SymbolNode } from '../tree/symbol-node.ts'
import type { PlannedEntry } from './planned-entry.ts'

/** Null: it is. Of those that follow one another in an order, the later one may take away what the earlier one put in. */
export function findSurplus(
  base: ParsedText,
  planned: readonly PlannedEntry[],
  after: ParsedText,
): string | null {
  const twice = findNamesake(base, after) ?? findImported(base, after)
  if (twice !== null) return twice
  if (planned.some(({ entry }) => entry.order !== undefined)) return null
  const start = countSymbols(base)
  const meant = new Map(start)
  for (const { plan } of planned) {
    const counts = countSymbols(plan.after)
    for (const path of new Set([...counts.keys(), ...start.keys()]))
      add(meant, path, (counts.get(path) ?? 0) - (start.get(path) ?? 0))
  }
  const found = countSymbols(after)
  for (const path of new Set([...meant.keys(), ...found.keys()]))
    if ((meant.get(path) ?? 0) !== (found.get(path) ?? 0))
      return `\`${path}\` would not be what the entries made of it`
  return findOtherImport(base, planned, after)
}

/** Imports are merged: what counts are the names that they bring, and two may have asked for the same one. */
function findOtherImport(
  base: ParsedText,
  planned: readonly PlannedEntry[],
  after: ParsedText,
): string | null {
  const start = listBrought(base)
  const meant = new Set(start)
  const each = planned.map(({ plan }) => listBrought(plan.after))
  for (const brought of each) for (const one of brought) meant.add(one)
  for (const brought of each) for (const one of start) if (!brought.has(one)) meant.delete(one)
  const found = listBrought(after)
  const other = [
    ...[...meant].filter((one) => !found.has(one)),
    ...[...found].filter((one) => !meant.has(one)),
  ]
  return other.length === 0 ? null : `\`${other[0]}\` would not be imported as it was asked for`
}

function listBrought(parsed: ParsedText): ReadonlySet<string> {
  return new Set(
    readImports(parsed).flatMap((declaration) =>
      listImported(declaration).map(
        ({ imported, local }) => `${imported} as ${local} of ${declaration.from}`,
      ),
    ),
  )
}

/** By path without ordinals: which one of several it is depends on the others. Items are named by their places. */
function countSymbols({ symbols }: ParsedText): Map<string, number> {
  const counts = new Map<string, number>()
  const visit = (level: readonly SymbolNode[], holder: string): void => {
    for (const { kind, name, children } of level) {
      if (kind === 'import') continue
      const path = `${holder}/${kind === 'item' ? 'item' : `${kind}:${name}`}`
      add(counts, path, 1)
      visit(children, path)
    }
  }
  visit(symbols, '')
  return counts
}

function add(counts: Map<string, number>, path: string, count: number): void {
  counts.set(path, (counts.get(path) ?? 0) + count)
}

/** Two names that stand in each other's way, where in the base none did: one entry put in a method, another a field. */
function findNamesake(base: ParsedText, after: ParsedText): string | null {
  const known = new Set(listClashes(base.symbols, ''))
  return listClashes(after.symbols, '').find((one) => !known.has(one)) ?? null
}

/** A name that two bring into the module, by imports or by an import and a declaration. */
function findImported(base: ParsedText, after: ParsedText): string | null {
  const known = new Set(listImportClashes(base))
  const name = listImportClashes(after).find((one) => !known.has(one))
  return name === undefined ? null : `\`${name}\` would be imported and stand for something else`
}

function listImportClashes(parsed: ParsedText): readonly string[] {
  const locals = readImports(parsed).flatMap((one) => listImported(one).map(({ local }) => local))
  const declared = new Set(parsed.symbols.filter(isDeclared).map(({ name }) => name))
  return locals.filter((local, i) => declared.has(local) || locals.indexOf(local) !== i)
}

function listClashes(level: readonly SymbolNode[], holder: string): readonly string[] {
  const byName = new Map<string, SymbolNode[]>()
  for (const symbol of level) byName.set(symbol.name, [...(byName.get(symbol.name) ?? []), symbol])
  const clashes: string[] = []
  for (const same of byName.values())
    for (const [i, one] of same.entries())
      for (const other of same.slice(i + 1))
        if (one.kind !== other.kind && isNameTaken(one, other))
          clashes.push(
            `${other.kind} \`${other.name}\` would be beside ${one.kind} \`${one.name}\`${holder === '' ? '' : ` in \`${holder}\``}`,
          )
  return [
    ...clashes,
    ...level.flatMap(({ children, kind, name }) =>
      children.length === 0 ? [] : listClashes(children, `${holder}/${kind}:${name}`),
    ),
  ]
}
