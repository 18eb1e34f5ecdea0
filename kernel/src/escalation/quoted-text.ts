import type { JsonValue } from '../canonical/json-value.ts'
import { isBlank } from '../context/is-blank.ts'

const SEPARATORS = ',;"'

/**
 * A value in a line of several. An agent chooses its parameters: a text that has a comma or a blank in it could be read
 * as two of them, and is quoted.
 */
export function quoteText(value: JsonValue): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  const isOne = value !== '' && ![...value].some(isSeparator)
  return isOne ? value : JSON.stringify(value)
}

function isSeparator(character: string): boolean {
  return isBlank(character) || SEPARATORS.includes(character)
}
