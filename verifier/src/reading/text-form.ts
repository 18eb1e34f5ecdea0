/**
 * The form of a canonical text: what stays of it where some of its texts and counts are left out.
 *
 * Another text that has every other character in common with it, and in each gap a text without quotes,
 * backslashes and control characters, or a count, is canonical as well, and means the same but for what
 * stands in the gaps. A ledger has few forms and many entries: those that are alike need not be walked over
 * and parsed one by one.
 */
import { isObject, type JsonValue } from 'rubicon-kernel'
import { type MemberPlaces, PLACES } from './canonical-scan.ts'

/** A text or a count in a canonical text: where it stands in that, and in the value. */
type Slot = {
  readonly start: number
  readonly end: number
  readonly isCount: boolean
  readonly holder: Holder
  readonly key: string
}

/** An object or a list in a value; null: it is the value. */
type Holder = {
  readonly value: JsonValue
  readonly above: Holder | null
  readonly key: string
}

export type Slots = {
  readonly text: string
  readonly value: JsonValue
  readonly list: readonly Slot[]
  /** The text without what stands in the slots. */
  readonly frame: string
}

const ZERO = 0x30
const NINE = 0x39
/** Up to so many digits every integer is written as it is read. */
const SAFE_DIGITS = 15

/** Undefined: the text is not the canonical one of the value, or has escapes. */
export function findSlots(text: string, value: JsonValue): Slots | undefined {
  if (!isPlain(text)) return undefined
  const list: Slot[] = []
  let at = 0
  const pass = (part: string): boolean => {
    const isThere = text.slice(at, at + part.length) === part
    at += part.length
    return isThere
  }
  const walk = (one: JsonValue, above: Holder | null, key: string): boolean => {
    if (Array.isArray(one) || isObject(one)) return walkMembers(one, above, key)
    const written = JSON.stringify(one)
    const isText = typeof one === 'string'
    const isCount = typeof one === 'number' && /^[0-9]{1,15}$/.test(written)
    if (above !== null && (isText || isCount)) {
      const quote = isText ? 1 : 0
      const [start, end] = [at + quote, at + written.length - quote]
      list.push({ start, end, isCount, holder: above, key })
    }
    return pass(written)
  }
  const walkMembers = (one: JsonValue, above: Holder | null, key: string): boolean => {
    const holder: Holder = { value: one, above, key }
    const isList = Array.isArray(one)
    // As the text has them: by code units, where an object has numbers first.
    const keys = isList ? Object.keys(one) : Object.keys(one as object).sort()
    if (!pass(isList ? '[' : '{')) return false
    for (const [index, name] of keys.entries()) {
      if (index > 0 && !pass(',')) return false
      if (!isList && !pass(`"${name}":`)) return false
      if (!walk((one as Record<string, JsonValue>)[name] ?? null, holder, name)) return false
    }
    return pass(isList ? ']' : '}')
  }
  if (!walk(value, null, '') || at !== text.length) return undefined
  return { text, value, list, frame: splitAroundSlots(text, list).join('\0') }
}

function splitAroundSlots(text: string, slots: readonly Slot[]): readonly string[] {
  const starts = [0, ...slots.map(({ end }) => end)]
  return starts.map((start, i) => text.slice(start, slots[i]?.start ?? text.length))
}

/** Whether nothing in it is escaped. */
export function isPlain(text: string): boolean {
  return !text.includes('\\')
}

export class TextForm {
  readonly frame: string
  private readonly slots: Slots
  private readonly isGap: readonly boolean[]
  /** What stands before, between and behind the gaps, and where that began in the text of the slots. */
  private readonly pieces: readonly string[]
  private readonly starts: Int32Array
  private readonly isCount: readonly boolean[]
  /** Objects and lists that something is put into, those above before those in them. */
  private readonly holders: readonly Record<string, JsonValue>[]
  private readonly holderAbove: Int32Array
  private readonly holderKeys: readonly (string | number)[]
  private readonly gapHolders: Int32Array
  private readonly gapKeys: readonly (string | number)[]
  /** Of the members of the text of the slots, and for each number the piece that it lies in. */
  private readonly places: Int32Array
  private readonly placePieces: Int32Array
  /** By how much each piece stands elsewhere, and nothing for what is no place. */
  private readonly shifts: Int32Array
  /** Of the text that was looked at last. */
  private text = ''
  private round = 0
  private readonly gapStarts: Int32Array
  private readonly gapEnds: Int32Array
  private readonly found: Int32Array

  /** `places`: of the members, in the text of the slots. */
  constructor(slots: Slots, isGap: readonly boolean[], places: Int32Array) {
    this.slots = slots
    this.frame = slots.frame
    this.isGap = isGap
    freeze(slots.value)
    const gaps = slots.list.filter((_, i) => isGap[i])
    this.pieces = splitAroundSlots(slots.text, gaps)
    this.starts = Int32Array.from([0, ...gaps.map(({ end }) => end)])
    this.isCount = gaps.map(({ isCount }) => isCount)
    const holders: Holder[] = []
    const numbers = new Map<Holder, number>()
    const indexHolder = (holder: Holder): number => {
      const known = numbers.get(holder)
      if (known !== undefined) return known
      if (holder.above !== null) indexHolder(holder.above)
      numbers.set(holder, holders.length)
      return holders.push(holder) - 1
    }
    this.gapHolders = Int32Array.from(gaps, ({ holder }) => indexHolder(holder))
    this.gapKeys = gaps.map(({ holder, key }) => toHolderKey(holder, key))
    // Copies of what is frozen, which are faster to copy.
    this.holders = holders.map(({ value }) => copyHolder(value))
    this.holderAbove = Int32Array.from(holders, ({ above }) =>
      above === null ? -1 : indexHolder(above),
    )
    this.holderKeys = holders.map(({ above, key }) => toHolderKey(above, key))
    this.places = places
    this.placePieces = places.map((place, i) =>
      i % PLACES === 0 ? this.starts.length : findPieceIndex(this.starts, place),
    )
    this.shifts = new Int32Array(this.starts.length + 1)
    this.gapStarts = new Int32Array(gaps.length)
    this.gapEnds = new Int32Array(gaps.length)
    this.found = new Int32Array(places.length)
  }

  /** Of the same frame: one that leaves room for whatever differs between the two. */
  widenForm(other: Slots, places: Int32Array): TextForm {
    const { text, list } = this.slots
    const getSlotContent = (of: string, slot: Slot | undefined): string =>
      of.slice(slot?.start, slot?.end)
    const isGap = other.list.map(
      (slot, i) =>
        this.isGap[i] === true ||
        getSlotContent(other.text, slot) !== getSlotContent(text, list[i]),
    )
    return new TextForm(other, isGap, places)
  }

  /** Whether a plain text has this form. What follows is about it, until the next one. */
  isFormOf(text: string): boolean {
    const { pieces, gapStarts, gapEnds, isCount } = this
    this.text = text
    this.round += 1
    let at = 0
    for (let i = 0; i < pieces.length; i += 1) {
      const piece = pieces[i] ?? ''
      const start = at + piece.length
      if (text.slice(at, start) !== piece) return false
      if (i === gapStarts.length) return start === text.length
      at = isCount[i] === true ? countEnd(text, start) : text.indexOf('"', start)
      if (at < 0) return false
      gapStarts[i] = start
      gapEnds[i] = at
    }
    return false
  }

  /** Undefined: there are control characters in it. */
  buildValue(): JsonValue | undefined {
    const contents = this.parseGapContents()
    if (contents === undefined) return undefined
    const { holders, holderAbove, holderKeys, gapHolders, gapKeys } = this
    const made: Record<string, JsonValue>[] = []
    for (let i = 0; i < holders.length; i += 1) {
      const copy = copyHolder(holders[i] ?? null)
      made.push(copy)
      const above = made[holderAbove[i] ?? -1]
      if (above !== undefined) above[holderKeys[i] ?? ''] = copy
    }
    for (let i = 0; i < gapKeys.length; i += 1) {
      const holder = made[gapHolders[i] ?? -1]
      const content = contents[i]
      if (holder !== undefined && content !== undefined) holder[gapKeys[i] ?? ''] = content
    }
    return made[0] ?? this.slots.value
  }

  /** Parsed together: cut out one by one they would be slower to walk over later. */
  private parseGapContents(): readonly JsonValue[] | undefined {
    const { text, gapStarts, gapEnds, isCount } = this
    let list = ''
    for (let i = 0; i < gapStarts.length; i += 1) {
      const quote = isCount[i] === true ? 0 : 1
      list +=
        (i === 0 ? '[' : ',') + text.slice((gapStarts[i] ?? 0) - quote, (gapEnds[i] ?? 0) + quote)
    }
    return list === '' ? [] : tryParseList(`${list}]`)
  }

  /** Of the members, in the text that was looked at, which stands in `whole` from `from` on. */
  computeMemberPlaces(whole: string, from: number): MemberPlaces {
    const { places, placePieces, found, starts, shifts, gapEnds } = this
    shifts[0] = from
    for (let i = 1; i < starts.length; i += 1)
      shifts[i] = from + (gapEnds[i - 1] ?? 0) - (starts[i] ?? 0)
    // How deep a member stands is moved by nothing.
    for (let i = 0; i < places.length; i += 1)
      found[i] = (places[i] ?? 0) + (shifts[placePieces[i] ?? 0] ?? 0)
    const { round } = this
    return {
      text: whole,
      places: found,
      length: found.length,
      isCurrent: () => this.round === round,
    }
  }
}

/** The last piece that begins there or before; the first one begins with the text. */
function findPieceIndex(starts: Int32Array, place: number): number {
  let [from, to] = [0, starts.length]
  while (to - from > 1) {
    const middle = (from + to) >>> 1
    if ((starts[middle] ?? 0) <= place) from = middle
    else to = middle
  }
  return from
}

/** -1: there is no count, or one that is too long. One with a zero before it is found by parsing it. */
function countEnd(text: string, start: number): number {
  let at = start
  for (let code = text.charCodeAt(at); code >= ZERO && code <= NINE; code = text.charCodeAt(at))
    at += 1
  const length = at - start
  return length === 0 || length > SAFE_DIGITS ? -1 : at
}

function tryParseList(text: string): readonly JsonValue[] | undefined {
  try {
    return JSON.parse(text) as readonly JsonValue[]
  } catch {
    return undefined
  }
}

/** Lists are written to by numbers. */
function toHolderKey(holder: Holder | null, key: string): string | number {
  return Array.isArray(holder?.value) ? Number(key) : key
}

/** Of an object or a list. */
function copyHolder(value: JsonValue): Record<string, JsonValue> {
  const copy = Array.isArray(value) ? value.slice() : { ...(value as object) }
  return copy as Record<string, JsonValue>
}

/** It becomes part of many values. */
function freeze(value: JsonValue): void {
  if (value === null || typeof value !== 'object') return
  for (const one of Object.values(value)) freeze(one)
  Object.freeze(value)
}
