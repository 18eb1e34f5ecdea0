/** Places of a text as editors name them. */
import type { Span } from '../text/span.ts'
import type { LineRange, TextPlace } from './desk-answer.ts'

export class TextPlaces {
  /** Where each line begins. */
  readonly #starts: readonly number[]

  constructor(text: string) {
    const starts = [0]
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
    this.#starts = starts
  }

  find(at: number): TextPlace {
    const line = this.#findLine(at)
    return { line, column: at - (this.#starts[line - 1] ?? 0) + 1 }
  }

  /** A span that ends with a line break ends on the line before it. */
  findRange({ start, end }: Span): LineRange {
    return [this.#findLine(start), this.#findLine(Math.max(start, end - 1))]
  }

  #findLine(at: number): number {
    let [low, high] = [0, this.#starts.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#starts[middle] ?? 0) <= at) low = middle + 1
      else high = middle
    }
    return low
  }
}
