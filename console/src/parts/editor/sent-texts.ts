/**
 * Texts that an editor has told its page, and the page has not shown it yet.
 *
 * A page shows each text a moment later. On a slow machine the next letter is typed by then: shown as it was told, the older
 * text would take that letter away, move the cursor and close what is open for completion.
 */
export class SentTexts {
  #sent: string[] = []

  add(text: string): void {
    this.#sent.push(text)
  }

  /** Whether the page shows what it was told. Of those told before it none will be shown any more. */
  takeBack(text: string): boolean {
    const at = this.#sent.lastIndexOf(text)
    this.#sent = this.#sent.slice(at + 1)
    return at >= 0
  }

  /** What the page shows is the text of the editor, whoever it is from. */
  clear(): void {
    this.#sent = []
  }
}
