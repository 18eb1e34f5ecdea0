/** A line of the shell, taken apart as a shell would: words, quotes, and options with their values. */
import { createUsageFailure } from '../call.ts'

export type Typed = {
  readonly name: string
  readonly args: readonly string[]
  /** Of an option that takes none, the value is empty. */
  readonly options: ReadonlyMap<string, string>
}

/** What may stand behind a command. */
export type Grammar = {
  readonly options?: readonly string[]
  readonly flags?: readonly string[]
}

/** Null: nothing was typed. */
export function parseTyped(line: string, grammarOf: (name: string) => Grammar): Typed | null {
  const [name, ...words] = splitWords(line)
  if (name === undefined) return null
  const { options = [], flags = [] } = grammarOf(name.text)
  const args: string[] = []
  const given = new Map<string, string>()
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]
    if (word === undefined) break
    if (word.quoted || !word.text.startsWith('--')) {
      args.push(word.text)
      continue
    }
    const option = word.text.slice(2)
    if (flags.includes(option)) given.set(option, '')
    else if (options.includes(option)) {
      at += 1
      given.set(option, words[at]?.text ?? throwMissingValue(option))
    } else throw createUsageFailure(`\`${name.text}\` has no option \`--${option}\``, 'see `help`')
  }
  return { name: name.text, args, options: given }
}

function throwMissingValue(option: string): never {
  throw createUsageFailure(`\`--${option}\` has no value`, 'put what has spaces in quotes')
}

type Word = { readonly text: string; readonly quoted: boolean }

const BLANK = /\s/

function splitWords(line: string): readonly Word[] {
  const words: Word[] = []
  for (let at = 0; at < line.length; ) {
    if (BLANK.test(line.charAt(at))) {
      at += 1
      continue
    }
    const { word, end } = readWord(line, at)
    words.push(word)
    at = end
  }
  return words
}

/** Quotes may stand anywhere in a word; what is in them is taken as it is. */
function readWord(line: string, start: number): { readonly word: Word; readonly end: number } {
  let text = ''
  let at = start
  while (at < line.length && !BLANK.test(line.charAt(at))) {
    const mark = line.charAt(at)
    if (mark !== '"' && mark !== "'") {
      text += mark
      at += 1
      continue
    }
    const close = line.indexOf(mark, at + 1)
    if (close < 0)
      throw createUsageFailure(`a ${mark} is not closed`, 'close it, and type the line again')
    text += line.slice(at + 1, close)
    at = close + 1
  }
  const first = line.charAt(start)
  return { word: { text, quoted: first === '"' || first === "'" }, end: at }
}
