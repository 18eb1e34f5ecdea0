/** The rules of a grammar in EBNF as they are written, each under a name of its own. */

/** Longer runs of characters are not written, unless they must be: each character more is a rule to compile. */
const RUN_MOST = 64
/** Compiling takes half a millisecond for each, during which the process does nothing else. */
const RULES_MOST = 4_096
/** Of what is written as a count, in characters: the engine has a state for each. */
const COUNTED_MOST = 8_192

export class EbnfRules {
  readonly #rules: string[] = []
  /** By what they are: the tails of runs are shared. */
  readonly #runs = new Map<string, string>()
  #counted = 0

  /** Throws where there are too many: whoever wrote the schema does not choose for how long everybody waits. */
  add(rule: string): string {
    if (this.#rules.length >= RULES_MOST) throw new Error('the schema is too large for a mask')
    const name = `r${this.#rules.length}`
    this.#rules.push(`${name} ::= ${rule}`)
    return name
  }

  /** Throws where all counts of the schema come to too much. */
  recordCount(characters: number): void {
    this.#counted += characters
    if (this.#counted > COUNTED_MOST) throw new Error('the schema is too large for a mask')
  }

  list(): readonly string[] {
    return this.#rules
  }

  /**
   * So many characters of a class, and what ends them. One rule for each that may follow, and no count: where the engine
   * has to count, it tries every token of the vocabulary at every step, which takes a thousand times as long.
   */
  addRun(one: string, least: number, most: number, end: string): string {
    const length = computeRunLength(least, most)
    let name = this.#addShared(one, end, [0, 0], end)
    for (let left = 1; left <= length; left += 1) {
      // Of the characters that are left, so many must come.
      const must = Math.max(0, left - (length - least))
      const more = `${one} ${name}`
      name = this.#addShared(one, end, [must, left], must > 0 ? more : `(${end} | ${more})`)
    }
    return name
  }

  #addShared(one: string, end: string, left: readonly [number, number], rule: string): string {
    const key = JSON.stringify([one, end, left])
    const name = this.#runs.get(key) ?? this.add(rule)
    this.#runs.set(key, name)
    return name
  }
}

/** How many characters of a run are written at most. */
export function computeRunLength(least: number, most: number): number {
  return Math.min(most, Math.max(least, RUN_MOST))
}
