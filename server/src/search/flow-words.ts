/** The words that a flow is found by: lower case, in the order in which they came, each text once, and no more than a bound. */
import { isObject, type JsonValue } from 'rubicon-kernel'

/** UTF-16 units of one flow; what comes later is not found by its words. */
export const WORDS_LENGTH = 4_096

const SEPARATOR = '\n'

/** Adds texts to words. Both are bounded; a text that is there already is not added again. */
export function addWords(words: string, texts: readonly string[]): string {
  let after = words
  for (const text of texts) {
    const clean = normaliseWords(text)
    if (clean === '' || after.includes(clean)) continue
    after = after === '' ? clean : `${after}${SEPARATOR}${clean}`
    if (after.length >= WORDS_LENGTH) return after.slice(0, WORDS_LENGTH).toWellFormed()
  }
  return after
}

/** What is searched for is written as what it is searched in. A NUL ends a text in SQLite. */
export function normaliseWords(text: string): string {
  return text.toWellFormed().replaceAll('\0', ' ').toLowerCase().trim()
}

/** Every text and number in a value, in order, until there are enough. */
export function collectTexts(value: JsonValue | undefined): readonly string[] {
  const texts: string[] = []
  let length = 0
  const visit = (one: JsonValue | undefined): void => {
    if (length > WORDS_LENGTH || one === undefined || one === null || typeof one === 'boolean')
      return
    if (typeof one === 'string' || typeof one === 'number') {
      const text = String(one)
      texts.push(text)
      length += text.length
    } else if (Array.isArray(one)) for (const item of one) visit(item)
    else if (isObject(one)) for (const item of Object.values(one)) visit(item)
  }
  visit(value)
  return texts
}
