/**
 * Whether a name that somebody wrote means, in a text that several made, what it means in the text that its writer saw.
 *
 * W1 it stands for something, if it does there.
 * W2 it stands for what it stands for there: nobody else must have put a declaration of that name between them.
 * W3 what it stands for is not declared behind it by now, where that is an error.
 * W4 what two declare anew is not one thing by having one name.
 * W5 a name is exported once.
 * W6 a name that nothing declares there is not one that another declares. Where writers may have known of each other, this is not asked.
 */
import type { FormatNames, NameInText } from '../formats/format-names.ts'
import { sliceSpan } from '../text/span.ts'
import type { ParsedText } from '../tree/parsed.ts'
import type { WordAlignment } from './match-words.ts'

/** What somebody wrote, and where that is in the text that all of them made. */
export type Writer = {
  readonly who: string
  /** As the writer saw it. */
  readonly parsed: ParsedText
  readonly toMerged: WordAlignment
  /** Whether what begins there was there before. */
  readonly isKnown: (start: number) => boolean
}

type SideNames = Writer & { readonly names: readonly NameInText[] }

type MergedNames = {
  readonly text: string
  readonly byStart: ReadonlyMap<number, NameInText>
  /** Where each thing is declared. */
  readonly declared: ReadonlyMap<number, readonly number[]>
}

/** Null: all of them do. `areApart`: W6, none of them knew of another. */
export function findOtherMeaning(
  merged: ParsedText,
  writers: readonly Writer[],
  names: FormatNames,
  { areApart }: { readonly areApart: boolean },
): string | null {
  const all = names.listNames(merged)
  const now: MergedNames = {
    text: merged.text,
    byStart: new Map(all.map((name) => [name.start, name])),
    declared: groupDeclared(all),
  }
  const sides = writers.map((one) => ({ ...one, names: names.listNames(one.parsed) }))
  for (const side of sides) {
    const misread = findMisread(side, now) ?? (areApart ? findCaught(side, now) : null)
    if (misread !== null) return misread
  }
  return findTwice(sides, now) ?? findExportedTwice(merged, writers, names)
}

/** W5. */
function findExportedTwice(
  merged: ParsedText,
  writers: readonly Writer[],
  names: FormatNames,
): string | null {
  const known = new Set(writers.flatMap(({ parsed }) => listTwice(names, parsed)))
  const name = listTwice(names, merged).find((one) => !known.has(one))
  return name === undefined ? null : `\`${name}\` would be exported twice`
}

function listTwice(names: FormatNames, parsed: ParsedText): readonly string[] {
  const all = names.listExports(parsed).names.map(({ name }) => name)
  const seen = new Set<string>()
  return all.filter((name) => seen.has(name) || !seen.add(name))
}

function groupDeclared(names: readonly NameInText[]): ReadonlyMap<number, readonly number[]> {
  const declared = new Map<number, number[]>()
  for (const { isDeclared, thing, start } of names) {
    if (isDeclared !== true || thing === null) continue
    const starts = declared.get(thing)
    if (starts === undefined) declared.set(thing, [start])
    else starts.push(start)
  }
  return declared
}

/** W1, W2, W3. */
function findMisread(side: SideNames, now: MergedNames): string | null {
  const { names, toMerged, isKnown, parsed, who } = side
  const declared = groupDeclared(names)
  for (const { start, end, thing, isDeclared } of names) {
    if (thing === null || isDeclared === true || isKnown(start)) continue
    const found = now.byStart.get(toMerged.get(start) ?? -1)
    if (found === undefined) continue
    const said = `\`${sliceSpan(parsed.text, { start, end })}\`, which ${who} uses,`
    if (found.thing === null) return `${said} stands for nothing`
    const places = declared.get(thing) ?? []
    const meant = places.flatMap((place) => now.byStart.get(toMerged.get(place) ?? -1)?.thing ?? [])
    if (meant.length > 0 && !meant.includes(found.thing)) return `${said} stands for something else`
    const wasBefore = places.some((place) => place < start)
    if (wasBefore && isBehind(now, found.thing, found.start)) return `${said} is declared behind it`
  }
  return null
}

/** Whether all declarations of a thing stand behind a place, and are of a kind that must not. */
function isBehind({ text, declared }: MergedNames, thing: number, place: number): boolean {
  const places = declared.get(thing) ?? []
  return (
    places.length > 0 &&
    places.every(
      (at) =>
        at > place &&
        /\b(?:const|let|class|enum|using)\s+$/u.test(text.slice(Math.max(0, at - 16), at)),
    )
  )
}

/** W6. */
function findCaught(
  { names, toMerged, isKnown, parsed, who }: SideNames,
  now: MergedNames,
): string | null {
  for (const { start, end, thing } of names) {
    if (thing !== null || isKnown(start)) continue
    const found = now.byStart.get(toMerged.get(start) ?? -1)
    if (found === undefined || found.thing === null) continue
    return `\`${sliceSpan(parsed.text, { start, end })}\`, which ${who} uses, stands for what another declares`
  }
  return null
}

/** W4. */
function findTwice(sides: readonly SideNames[], now: MergedNames): string | null {
  const whose = new Map<number, number[]>()
  for (const [index, side] of sides.entries())
    for (const place of listNew(side)) whose.set(place, [...(whose.get(place) ?? []), index])
  for (const [thing, places] of now.declared) {
    const fresh = places.flatMap((place) => {
      const writers = whose.get(place)
      return writers === undefined ? [] : [writers]
    })
    const name = now.byStart.get(places[0] ?? -1)
    const isTwice = fresh.some((one) =>
      fresh.some((other) => !one.some((who) => other.includes(who))),
    )
    if (isTwice && name?.thing === thing)
      return `both sides declare a new \`${sliceSpan(now.text, name)}\``
  }
  return null
}

/** Where, in the merged text, somebody declares something anew. */
function listNew({ names, isKnown, toMerged }: SideNames): readonly number[] {
  return names.flatMap(({ start, isDeclared }) =>
    isDeclared === true && !isKnown(start) ? (toMerged.get(start) ?? []) : [],
  )
}
