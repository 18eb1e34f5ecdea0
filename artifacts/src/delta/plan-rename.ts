/**
 * Gives a symbol another name, at every place of its artifact that names it.
 *
 * R1 behind the change every name stands for what it stood for: the text behind it is read anew, and names that stood for one thing stand
 * for one thing, those that stood for two for two. So a new name that somebody has, or that would be caught by a scope between, is refused.
 * R2 what is exported by the name of its declaration is exported by the new one; what has another name for others keeps it.
 * R3 a symbol whose uses cannot all be told is not renamed.
 */
import { err } from 'rubicon-kernel'
import type { Format } from '../formats/format.ts'
import type { FormatNames, NameInText, NameSite } from '../formats/format-names.ts'
import { ARTIFACT_LIMITS } from '../limits.ts'
import { listPutSpans, moveSpan } from '../text/moved-span.ts'
import { isInside, type Span } from '../text/span.ts'
import { applySplices, type Splice, sortSplices } from '../text/splice.ts'
import { findSymbol } from '../tree/find-symbol.ts'
import type { ParsedText } from '../tree/parsed.ts'
import type { SymbolNode } from '../tree/symbol-node.ts'
import type { Delta } from './delta.ts'
import { listSymbols, type Meant } from './find-collateral.ts'
import { finishPlan } from './finish-plan.ts'
import type { PlanResult } from './plan.ts'

export function planRename(
  parsed: ParsedText,
  { target, name }: Extract<Delta, { op: 'rename' }>,
  format: Format,
): PlanResult {
  const symbol = findSymbol(parsed, target)
  if (!symbol.ok) return symbol
  const { names } = format
  if (names === undefined)
    return err({ code: 'TARGET_UNFIT', detail: `\`${target}\` has no name that others refer to` })
  if (symbol.value.name === name)
    return err({ code: 'NAME_TAKEN', detail: `\`${target}\` is called that`, at: symbol.value.own })
  const refused = refuseName(names, symbol.value, name)
  if (refused !== null) return err({ code: 'FRAGMENT_INVALID', detail: refused })
  const found = names.findSites(parsed, target)
  if (!found.ok) return err({ code: 'TARGET_UNFIT', ...found.error })
  const planned = planSites(parsed, found.value.sites, name, format)
  if (!planned.ok || found.value.exportedAs.length === 0) return planned
  return isExported(names, parsed, name)
    ? err({ code: 'NAME_TAKEN', detail: `\`${name}\` is exported`, at: symbol.value.own })
    : planned
}

/** Others cannot tell two exports of one name apart, also where one of them is only called so in a list. */
function isExported(names: FormatNames, parsed: ParsedText, name: string): boolean {
  return names.listExports(parsed).names.some((exported) => exported.name === name)
}

/** A private name stays one. */
function refuseName(names: FormatNames, symbol: SymbolNode, name: string): string | null {
  if (symbol.name.startsWith('#') !== name.startsWith('#'))
    return `\`${name}\` and \`${symbol.name}\` are not both private names`
  return names.refuseName(name)
}

/**
 * Puts a new name at places of one text, of which each stands for what is renamed. `own`: it is declared here. `foreign`: another artifact
 * declares it, so a place that declares a name for this one, as `import { a }`, keeps it.
 */
export function planSites(
  parsed: ParsedText,
  sites: readonly NameSite[],
  name: string,
  format: Format,
  whose: 'own' | 'foreign' = 'own',
): PlanResult {
  if (sites.length > ARTIFACT_LIMITS.renameSites)
    return err({
      code: 'TARGET_UNFIT',
      detail: `it is named at ${sites.length} places, and a rename changes at most ${ARTIFACT_LIMITS.renameSites}`,
    })
  const splices = sortSplices(sites.map((site) => toSplice(site, name)))
  const planned = finishPlan(parsed, splices, format, findRenamed(parsed, splices, format))
  if (!planned.ok) return planned
  const moved = moveNames(format.names?.listNames(parsed) ?? [], sites, splices, whose)
  const caught = findCaught(moved, format.names?.listNames(planned.value.after) ?? [])
  if (caught === null) return planned
  const detail = `with \`${name}\` in it, this would stand for something else`
  return err({ code: 'NAME_TAKEN', detail, at: caught })
}

function toSplice({ start, end, prefix, suffix }: NameSite, name: string): Splice {
  return { start, end, text: `${prefix}${name}${suffix}` }
}

/** A name of the text before, and where it begins behind the change. */
type MovedName = NameInText & { readonly to: number }

function moveNames(
  names: readonly NameInText[],
  sites: readonly NameSite[],
  splices: readonly Splice[],
  whose: 'own' | 'foreign',
): readonly MovedName[] {
  const put = listPutSpans(splices)
  const at = new Map(splices.map(({ start }, i) => [start, put[i]]))
  const prefixes = new Map(sites.map(({ start, prefix }) => [start, prefix.length]))
  let next = 0
  let shift = 0
  return names.map((name) => {
    // Both are in the order of the text.
    for (let one = splices[next]; one !== undefined && one.end <= name.start; one = splices[next]) {
      shift += one.text.length - (one.end - one.start)
      next += 1
    }
    const span = at.get(name.start)
    if (span === undefined) return { ...name, to: name.start + shift }
    const own = span.start + (prefixes.get(name.start) ?? 0)
    return { ...name, to: whose === 'own' ? own : span.end - (name.end - name.start) }
  })
}

/** The first name of the text before that stands for something else afterwards; null: none does. */
function findCaught(before: readonly MovedName[], after: readonly NameInText[]): Span | null {
  const found = new Map(after.map((name) => [name.start, name]))
  const there = new Map<number | null, number | null>([[null, null]])
  const back = new Map<number | null, number | null>([[null, null]])
  for (const { start, end, thing, to } of before) {
    const now = found.get(to)
    if (now === undefined) return { start, end }
    if (!there.has(thing) && !back.has(now.thing)) {
      there.set(thing, now.thing)
      back.set(now.thing, thing)
    }
    if (there.get(thing) !== now.thing || back.get(now.thing) !== thing) return { start, end }
  }
  const [last] = before.slice(-1)
  return after.length === before.length ? null : (last ?? { start: 0, end: 0 })
}

/** Symbols whose names, or whose first or last words, the change puts in: they are there as they were, but for that. */
function findRenamed(parsed: ParsedText, splices: readonly Splice[], format: Format): Meant {
  const text = applySplices(parsed.text, splices)
  const after = text === null ? null : format.parse(text)
  if (after === null || !after.ok) return { around: null }
  const put = listPutSpans(splices)
  const [kept, found] = [listSymbols(parsed.symbols), listSymbols(after.value.symbols)]
  const pairs = kept.flatMap((symbol, i) => {
    const other = found[i]
    return other !== undefined && isRenamed(symbol, other, splices, put) ? [{ symbol, other }] : []
  })
  return {
    around: null,
    before: pairs.map(({ symbol }) => symbol.path),
    after: pairs.map(({ other }) => other.path),
  }
}

function isRenamed(
  symbol: SymbolNode,
  other: SymbolNode,
  splices: readonly Splice[],
  put: readonly Span[],
): boolean {
  const isHit = splices.some((splice) => isInside(splice, symbol.own))
  const moved = moveSpan(symbol.own, splices)
  const start =
    moved.start ?? put[splices.findIndex((one) => one.start === symbol.own.start)]?.start
  const end = moved.end ?? put[splices.findIndex((one) => one.end === symbol.own.end)]?.end
  return isHit && symbol.kind === other.kind && start === other.own.start && end === other.own.end
}
