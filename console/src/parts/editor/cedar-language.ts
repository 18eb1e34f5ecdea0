/** Cedar as an editor colours it: keywords, the words that a rule is asked about, texts, comments. */
import {
  foldService,
  LanguageSupport,
  StreamLanguage,
  type StringStream,
} from '@codemirror/language'

const KEYWORDS = new Set(['permit', 'forbid', 'when', 'unless', 'if', 'then', 'else', 'in', 'is'])
const OPERATORS = new Set(['has', 'like'])
const ATOMS = new Set(['true', 'false'])
const VARIABLES = new Set(['principal', 'action', 'resource', 'context'])
const TYPES = new Set(['Agent', 'Action', 'Capability'])

/** A text of several lines is none in Cedar, so that nothing is carried from line to line. */
export function readCedarToken(stream: StringStream): string | null {
  if (stream.eatSpace()) return null
  if (stream.match('//')) {
    stream.skipToEnd()
    return 'comment'
  }
  if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return 'string'
  if (stream.match(/^@[A-Za-z_][A-Za-z0-9_]*/)) return 'meta'
  if (stream.match(/^[0-9]+/)) return 'number'
  const word = stream.match(/^[A-Za-z_][A-Za-z0-9_]*/)
  if (word !== null && word !== true && word !== false) return getWordToken(word[0] ?? '')
  if (stream.match(/^(?:&&|\|\||==|!=|<=|>=|<|>|!|\+|-|\*)/)) return 'operator'
  stream.next()
  return null
}

function getWordToken(word: string): string {
  if (KEYWORDS.has(word) || OPERATORS.has(word)) return 'keyword'
  if (ATOMS.has(word)) return 'atom'
  if (VARIABLES.has(word)) return 'variableName'
  return TYPES.has(word) ? 'typeName' : 'propertyName'
}

const cedarLanguage = StreamLanguage.define({
  name: 'cedar',
  token: readCedarToken,
  languageData: {
    commentTokens: { line: '//' },
    closeBrackets: { brackets: ['(', '[', '{', '"'] },
  },
})

/** A rule that begins on a line and ends on a later one folds there. */
const foldRules = foldService.of((state, start, end) => {
  const line = state.doc.sliceString(start, end)
  if (!/^\s*(?:@|permit\b|forbid\b)/.test(line)) return null
  if (start > 0 && /^\s*@/.test(state.doc.lineAt(start - 1).text)) return null
  const close = state.doc.sliceString(end, Math.min(state.doc.length, end + FOLDED)).indexOf(';')
  const last = close < 0 ? -1 : end + close + 1
  return last > end && state.doc.lineAt(last).number > state.doc.lineAt(end).number
    ? { from: end, to: last }
    : null
})

/** Longer rules are not folded: what is looked through for each line on the screen stays short. */
const FOLDED = 4_000

export function createCedarSupport(): LanguageSupport {
  return new LanguageSupport(cedarLanguage, [foldRules])
}
