/**
 * Answers about texts, by what was asked. A text is known by its hash, so that an answer holds for ever: only how much is kept is
 * bounded, and the longest unused goes first.
 */
export class KeptAnswers<Answer> {
  readonly #most: number
  /** In the order in which they were used last. */
  readonly #kept = new Map<string, { readonly answer: Answer; readonly weight: number }>()
  #weight = 0

  /** `most`: of all weights together. */
  constructor(most: number) {
    this.#most = most
  }

  get(question: string): Answer | undefined {
    const found = this.#kept.get(question)
    if (found === undefined) return undefined
    this.#kept.delete(question)
    this.#kept.set(question, found)
    return found.answer
  }

  keep(question: string, answer: Answer, weight: number): void {
    this.#drop(question)
    if (weight > this.#most) return
    this.#kept.set(question, { answer, weight })
    this.#weight += weight
    for (const oldest of this.#kept.keys()) {
      if (this.#weight <= this.#most) return
      this.#drop(oldest)
    }
  }

  #drop(question: string): void {
    this.#weight -= this.#kept.get(question)?.weight ?? 0
    this.#kept.delete(question)
  }
}
