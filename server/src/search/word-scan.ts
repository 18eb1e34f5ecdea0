/**
 * All words of a question in one pass over a text, each letter of which is looked at once, whatever stands in it (Aho and
 * Corasick). To look for one word after the other is twenty times as fast in what people write, and a hundred times slower in
 * a text that an agent has written for it: `aaaa…` for whoever asks for `aaab`.
 */
import type { TextBlock } from './text-block.ts'

/** So many words are looked for together: each is a bit. */
export const MOST_WORDS = 16

export class WordScan {
  /** Of each UTF-16 unit; 0: it is in none of the words. */
  readonly #classes = new Uint16Array(0x1_0000)
  /** From a state, by the class of the next unit. A state is the place of its first class. */
  readonly #next: Int32Array
  /** Of a state: the words that end in it. */
  readonly #marks: Uint16Array

  constructor(words: readonly string[]) {
    if (words.length > MOST_WORDS) throw new RangeError('too many words for one pass')
    let width = 1
    for (const unit of words.flatMap(listUnits))
      if (this.#classes[unit] === 0) {
        this.#classes[unit] = width
        width += 1
      }
    const states = words.reduce((sum, { length }) => sum + length, 1)
    this.#next = new Int32Array(states * width)
    this.#marks = new Uint16Array(states * width)
    this.#addFallbacks(width, this.#addWords(words, width))
  }

  /** Calls `mark` for each row with some of the words: which of them, as bits. */
  scan({ text, ends, flows }: TextBlock, mark: (flow: number, marks: number) => void): void {
    const [classes, next, marks] = [this.#classes, this.#next, this.#marks]
    const units = toUnits(text)
    let at = 0
    for (let row = 0; row < ends.length; row += 1) {
      const end = ends[row] ?? 0
      let found = 0
      // What a row ends with, and the next begins with, is no word.
      for (let state = 0; at < end; at += 1) {
        state = next[state + (classes[units[at] ?? 0] ?? 0)] ?? 0
        found |= marks[state] ?? 0
      }
      if (found !== 0) mark(flows[row] ?? 0, found)
      at = end + 1
    }
  }

  /** The tree of the words; 0 is the root, and no step. Returns the last state. */
  #addWords(words: readonly string[], width: number): number {
    let made = 0
    words.forEach((word, nth) => {
      let state = 0
      for (const unit of listUnits(word)) {
        const step = state + (this.#classes[unit] ?? 0)
        if (this.#next[step] === 0) {
          made += width
          this.#next[step] = made
        }
        state = this.#next[step] ?? 0
      }
      this.#marks[state] = (this.#marks[state] ?? 0) | (1 << nth)
    })
    return made
  }

  /** Where no word goes on, the longest end of what was read that begins one does. Shorter ones first. */
  #addFallbacks(width: number, last: number): void {
    const fallbacks = new Int32Array(last + 1)
    const waiting: number[] = this.#listSteps(0, width)
    for (const state of waiting) {
      const fallback = fallbacks[state] ?? 0
      this.#marks[state] = (this.#marks[state] ?? 0) | (this.#marks[fallback] ?? 0)
      for (let unit = 1; unit < width; unit += 1) {
        const after = this.#next[fallback + unit] ?? 0
        const own = this.#next[state + unit] ?? 0
        if (own === 0) this.#next[state + unit] = after
        else {
          fallbacks[own] = after
          waiting.push(own)
        }
      }
    }
  }

  #listSteps(state: number, width: number): number[] {
    return [...this.#next.subarray(state + 1, state + width)].filter((one) => one !== 0)
  }
}

function listUnits(word: string): readonly number[] {
  return Array.from({ length: word.length }, (_, at) => word.charCodeAt(at))
}

/** To ask a text for each of its units takes three times as long. */
function toUnits(text: string): Uint16Array {
  const bytes = Buffer.alloc(text.length * 2)
  bytes.write(text, 'utf16le')
  return new Uint16Array(bytes.buffer, bytes.byteOffset, text.length)
}
