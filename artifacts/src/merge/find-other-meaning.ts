/**
 * Whether a name that one side wrote means in the merged text what it means in that side.
 *
 * W1 it stands for something, if it does there.
 * W2 it stands for what it stands for there: the other side must not have put a declaration of that name between them.
 * W3 what it stands for is not declared behind it by now, where that is an error.
 * W4 what both sides declare anew is not one thing by having one name.
 * W5 a name is exported once.
 * A name that nothing declares in its side may be one that the other side declares: whether it was meant, nobody can tell.
 */
import type { FormatNames, NameInText } from '../formats/format-names.ts'
import { sliceSpan } from '../text/span.ts'
import type { ParsedText } from '../tree/parsed.ts'
import { alignWords, type WordAlignment } from './align-words.ts'
import type { ParsedSides } from './check-merged.ts'
import type { ChangingSide } from './merge.ts'

/** What a side wrote, and where that is in the merged text. */
type SideNames = {
  readonly side: ChangingSide
  readonly parsed: ParsedText
  readonly names: readonly NameInText[]
  readonly toMerged: WordAlignment
  /** Where words begin that the base has too. */
  readonly known: ReadonlySet<number>
}

type MergedNames = {
  readonly text: string
  readonly byStart: ReadonlyMap<number, NameInText>
  /** Where each thing is declared. */
  readonly declared: ReadonlyMap<number, readonly number[]>
}

/** Null: all of them do, or the texts have too little in common to say. */
export function findOtherMeaning(
  merged: ParsedText,
  sides: ParsedSides,
  names: FormatNames,
): string | null {
  const [ours, theirs] = [
    readSide('ours', merged, sides, names),
    readSide('theirs', merged, sides, names),
  ]
  if (ours === null || theirs === null) return null
  const all = names.listNames(merged)
  const now: MergedNames = {
    text: merged.text,
    byStart: new Map(all.map((name) => [name.start, name])),
    declared: groupDeclared(all),
  }
  return (
    findMisread(ours, now) ??
    findMisread(theirs, now) ??
    findTwice(ours, theirs, now) ??
    findExportedTwice(merged, sides, names)
  )
}

/** W5. */
function findExportedTwice(
  merged: ParsedText,
  { ours, theirs }: ParsedSides,
  names: FormatNames,
): string | null {
  const known = new Set([ours, theirs].flatMap((side) => listTwice(names, side)))
  const name = listTwice(names, merged).find((one) => !known.has(one))
  return name === undefined ? null : `\`${name}\` would be exported twice`
}

function listTwice(names: FormatNames, parsed: ParsedText): readonly string[] {
  const all = names.listExports(parsed).names.map(({ name }) => name)
  const seen = new Set<string>()
  return all.filter((name) => seen.has(name) || !seen.add(name))
}

function readSide(
  side: ChangingSide,
  merged: ParsedText,
  sides: ParsedSides,
  names: FormatNames,
): SideNames | null {
  const parsed = sides[side]
  const toMerged = alignWords(parsed, merged)
  const known = alignWords(sides.base, parsed)
  if (toMerged === null || known === null) return null
  return { side, parsed, names: names.listNames(parsed), toMerged, known: new Set(known.values()) }
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
  const { names, toMerged, known, parsed } = side
  const declared = groupDeclared(names)
  for (const { start, end, thing, isDeclared } of names) {
    if (thing === null || isDeclared === true || known.has(start)) continue
    const found = now.byStart.get(toMerged.get(start) ?? -1)
    if (found === undefined) continue
    const said = `\`${sliceSpan(parsed.text, { start, end })}\`, which ${side.side} uses,`
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

/** W4. */
function findTwice(ours: SideNames, theirs: SideNames, now: MergedNames): string | null {
  const [mine, yours] = [listNew(ours), listNew(theirs)]
  for (const [thing, places] of now.declared) {
    const hasMine = places.some((place) => mine.has(place) && !yours.has(place))
    const hasYours = places.some((place) => yours.has(place) && !mine.has(place))
    const name = now.byStart.get(places[0] ?? -1)
    if (hasMine && hasYours && name?.thing === thing)
      return `both sides declare a new \`${sliceSpan(now.text, name)}\``
  }
  return null
}

/** Where, in the merged text, a side declares something anew. */
function listNew({ names, known, toMerged }: SideNames): ReadonlySet<number> {
  return new Set(
    names.flatMap(({ start, isDeclared }) =>
      isDeclared === true && !known.has(start) ? (toMerged.get(start) ?? []) : [],
    ),
  )
}
