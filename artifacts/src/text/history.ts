/**
 * A text with everything that was ever put into it and taken out of it, so that any change can be undone whatever came after it.
 *
 * H1 nothing is forgotten: what is taken out stays in its place, unseen. So the order in which changes are undone does not matter:
 *    with all of them undone, the text is the first one, unit by unit.
 * H2 a change whose text somebody else has changed since is not undone: nobody can say what would be left of that change.
 */
import { assert } from 'rubicon-kernel'
import type { Splice } from './splice.ts'

type Chunk = {
  readonly text: string
  /** The change that put it there; null: the first text. */
  readonly put: string | null
  /** The change that took it out. */
  taken: string | null
  /** The change that put it there is undone. */
  unput: boolean
}

export class TextHistory {
  #chunks: Chunk[]
  readonly #live = new Set<string>()

  constructor(first: string) {
    this.#chunks = [{ text: first, put: null, taken: null, unput: false }]
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
    if (!this.#live.has(change)) return null
    if (this.listStandingOn(change).length > 0) return null
    const splices: Splice[] = []
    let at = 0
    for (const chunk of this.#chunks) {
      const before = isSeen(chunk) ? chunk.text : ''
      if (chunk.put === change) chunk.unput = true
      if (chunk.taken === change) chunk.taken = null
      const after = isSeen(chunk) ? chunk.text : ''
      if (before !== after) splices.push({ start: at, end: at + before.length, text: after })
      at += before.length
    }
    this.#live.delete(change)
    return splices
  }

  /** The changes that have taken out some of what this one put in, and are not undone (H2). */
  listStandingOn(change: string): readonly string[] {
    const found = new Set<string>()
    for (const { put, taken } of this.#chunks)
      if (put === change && taken !== null && taken !== change && this.#live.has(taken))
        found.add(taken)
    return [...found]
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

  #splice(change: string, { start, end, text }: Splice): void {
    const first = this.#cut(start)
    const behind = this.#cut(end)
    for (const chunk of this.#chunks.slice(first, behind)) if (isSeen(chunk)) chunk.taken = change
    if (text !== '') this.#chunks.splice(first, 0, { text, put: change, taken: null, unput: false })
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
