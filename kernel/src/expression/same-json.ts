/**
 * Whether two values are the same, as they are written. Agents choose how long some of them are, so that what is
 * compared is counted, by all comparisons of one evaluation together.
 */
import { isObject, type JsonValue } from '../canonical/json-value.ts'
import { LIMITS } from '../limits.ts'

/** In characters of a text that take as long to compare. */
const VALUE = 8
const NUMBER = 128

export class Comparison {
  #left: number = LIMITS.manifestExpression.compared

  /** Whether there is room for a comparison with a number. */
  countNumber(): boolean {
    this.#left -= NUMBER
    return this.#left >= 0
  }

  /** Undefined: it would take too long to find out. */
  isSame(a: JsonValue, b: JsonValue): boolean | undefined {
    const same = this.#compare(a, b)
    return this.#left < 0 ? undefined : same
  }

  #compare(a: JsonValue, b: JsonValue): boolean {
    this.#left -= VALUE
    if (this.#left < 0) return false
    if (typeof a === 'string' && typeof b === 'string') return this.#compareTexts(a, b)
    if (Array.isArray(a) && Array.isArray(b)) return this.#compareLists(a, b)
    if (!isObject(a) || !isObject(b)) return a === b
    const names = Object.keys(a)
    if (names.length !== Object.keys(b).length) return false
    return names.every(
      (name) => Object.hasOwn(b, name) && this.#compare(a[name] ?? null, b[name] ?? null),
    )
  }

  #compareTexts(a: string, b: string): boolean {
    if (a.length !== b.length) return false
    this.#left -= a.length
    return this.#left >= 0 && a === b
  }

  #compareLists(a: readonly JsonValue[], b: readonly JsonValue[]): boolean {
    return a.length === b.length && a.every((item, at) => this.#compare(item, b[at] ?? null))
  }
}
