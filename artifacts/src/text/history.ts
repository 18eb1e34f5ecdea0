/**
 * A text with everything that was ever put into it and taken out of it, so that any change can be undone whatever came after it.
 *
 * H1 nothing is forgotten: what is taken out stays in its place, unseen. So the order in which changes are undone does not matter:
 *    with all of them undone, the text is the first one, unit by unit.
 * H2 a change is not undone while another stands on it: one that has written over what it put in or over the place of what it took out,
 *    or has put something into the midst of what it put in. Nobody can say what would be left of the other one.
 */
import { assert } from 'rubicon-kernel'
import type { Span } from './span.ts'
import type { Splice } from './splice.ts'

type Chunk = {
  readonly text: string
  /** The change that put it there; null: the first text. */
  readonly put: string | null
  /** Which splice of all put it there: one splice may be cut into several chunks. */
  readonly splice: number
  /** The change that took it out. */
  taken: string | null
  /** The change that put it there is undone. */
  unput: boolean
  /** The changes that wrote over its place, whether it was seen or not. */
  covered: readonly string[]
}

export class TextHistory {
  #chunks: Chunk[]
  #splices = 0
  readonly #live = new Set<string>()

  constructor(first: string) {
    this.#chunks = [{ text: first, put: null, splice: 0, taken: null, unput: false, covered: [] }]
  }

  /** Another one that goes on from here by itself. */
  createCopy(): TextHistory {
    const copy = new TextHistory('')
    copy.#chunks = this.#chunks.map((chunk) => ({ ...chunk }))
    copy.#splices = this.#splices
    for (const change of this.#live) copy.#live.add(change)
    return copy
  }

  getText(): string {
    return this.#chunks
      .filter(isSeen)
      .map(({ text }) => text)
      .join('')
  }

  /** False: the splices do not fit the text as it is now. */
  apply(change: string, splices: readonly Splice[]): boolean {
    assert(!this.#live.has(change), 'a change is applied once')
    if (!isInOrder(splices, this.getText().length)) return false
    // From behind, so that what comes before keeps its place.
    for (const splice of [...splices].reverse()) this.#splice(change, splice)
    this.#live.add(change)
    return true
  }

  /** The splices that undo it now; null: it is not there, or another change stands on it (H2). */
  undo(change: string): readonly Splice[] | null {
    const splices = this.planUndo(change)
    if (splices === null) return null
    for (const chunk of this.#chunks) {
      if (chunk.put === change) chunk.unput = true
      if (chunk.taken === change) chunk.taken = null
      chunk.covered = chunk.covered.filter((one) => one !== change)
    }
    this.#live.delete(change)
    return splices
  }

  /** The same, and nothing is undone. */
  planUndo(change: string): readonly Splice[] | null {
    if (!this.#live.has(change) || this.listStandingOn(change).length > 0) return null
    const splices: Splice[] = []
    let at = 0
    for (const chunk of this.#chunks) {
      const { text, put, taken, unput } = chunk
      const before = isSeen(chunk) ? text : ''
      const isBack = !unput && put !== change && (taken === null || taken === change)
      const after = isBack ? text : ''
      if (before !== after) splices.push({ start: at, end: at + before.length, text: after })
      at += before.length
    }
    return splices
  }

  /** The changes that stand on one, and are not undone (H2). */
  listStandingOn(change: string): readonly string[] {
    const found = new Set<string>()
    const ends = this.#listEnds(change)
    for (const [index, { put, taken, covered, splice }] of this.#chunks.entries()) {
      if (put === change || taken === change) for (const one of covered) found.add(one)
      const isWithin = ends.some(({ from, to }) => from < index && index < to)
      if (isWithin && put !== null && splice !== 0) found.add(put)
    }
    found.delete(change)
    return [...found].filter((one) => this.#live.has(one))
  }

  /** Whether what was there at first, and is there now, lies between it and all other changes. */
  isApart(change: string): boolean {
    const isOwn = (chunk: Chunk | undefined): boolean =>
      chunk !== undefined && (chunk.put === change || chunk.taken === change)
    const isPlain = (chunk: Chunk | undefined): boolean =>
      chunk === undefined || (chunk.put === null && isSeen(chunk) && chunk.text.trim() !== '')
    return this.#chunks.every((chunk, i) => {
      if (!isOwn(chunk)) return true
      const [before, behind] = [this.#chunks[i - 1], this.#chunks[i + 1]]
      return (isOwn(before) || isPlain(before)) && (isOwn(behind) || isPlain(behind))
    })
  }

  /** The change that put what is seen at a place; null: it is of the first text. */
  findPutter(place: number): string | null {
    let at = 0
    for (const chunk of this.#chunks) {
      if (!isSeen(chunk)) continue
      at += chunk.text.length
      if (place < at) return chunk.put
    }
    return null
  }

  /** Where what a change put in, and is seen, is now. */
  listPut(change: string): readonly Span[] {
    const spans: Span[] = []
    let at = 0
    for (const chunk of this.#chunks) {
      if (!isSeen(chunk)) continue
      const end = at + chunk.text.length
      if (chunk.put === change) spans.push({ start: at, end })
      at = end
    }
    return spans
  }

  /** The splices that make the text as it is now of the first one. */
  listSplices(): readonly Splice[] {
    const splices: Splice[] = []
    let at = 0
    for (const chunk of this.#chunks) {
      const length = chunk.put === null ? chunk.text.length : 0
      const isKept = chunk.put === null && isSeen(chunk)
      const text = chunk.put !== null && isSeen(chunk) ? chunk.text : ''
      const last = splices.at(-1)
      if (!isKept && (length > 0 || text !== '')) {
        if (last !== undefined && last.end === at)
          splices[splices.length - 1] = { ...last, end: at + length, text: last.text + text }
        else splices.push({ start: at, end: at + length, text })
      }
      at += length
    }
    return splices
  }

  /** The first and the last chunk of each splice of a change. */
  #listEnds(change: string): readonly { readonly from: number; readonly to: number }[] {
    const ends = new Map<number, { readonly from: number; readonly to: number }>()
    for (const [index, { put, splice }] of this.#chunks.entries())
      if (put === change) ends.set(splice, { from: ends.get(splice)?.from ?? index, to: index })
    return [...ends.values()]
  }

  #splice(change: string, { start, end, text }: Splice): void {
    const first = this.#cut(start)
    const behind = this.#cut(end)
    const covered = this.#chunks.slice(first, behind)
    // What is unseen behind the last that is seen is not written over.
    const last = covered.findLastIndex(isSeen)
    for (const chunk of covered.slice(0, last + 1)) {
      chunk.covered = [...chunk.covered, change]
      if (isSeen(chunk)) chunk.taken = change
    }
    this.#splices += 1
    const put = { put: change, splice: this.#splices, taken: null, unput: false, covered: [] }
    if (text !== '') this.#chunks.splice(first, 0, { text, ...put })
  }

  /** The index of the chunk that begins at this place of the text that is seen, behind what is unseen there. */
  #cut(place: number): number {
    let at = 0
    for (const [index, chunk] of this.#chunks.entries()) {
      if (!isSeen(chunk)) continue
      if (at === place) return index
      if (place < at + chunk.text.length) {
        const [left, right] = [chunk.text.slice(0, place - at), chunk.text.slice(place - at)]
        this.#chunks.splice(index, 1, { ...chunk, text: left }, { ...chunk, text: right })
        return index + 1
      }
      at += chunk.text.length
    }
    return this.#chunks.length
  }
}

function isSeen({ taken, unput }: Chunk): boolean {
  return taken === null && !unput
}

function isInOrder(splices: readonly Splice[], length: number): boolean {
  let done = 0
  for (const { start, end } of splices) {
    if (start < done || end < start || end > length) return false
    done = end
  }
  return true
}
