/** What can be written at a place in Cedar: by the few characters before it, without parsing the rest. */
import {
  type KnownNames,
  listDistinct,
  MOST_SUGGESTIONS,
  type Suggestion,
  type Suggestions,
} from './suggestion.ts'

/** What a rule can read in `context`. */
const CONTEXT: readonly Suggestion[] = [
  { label: 'params', info: 'the parameters that the agent proposed' },
  { label: 'measures', info: 'what the capability computed of them, as decimals' },
  { label: 'confidence', info: 'what the agent said of itself, a decimal' },
  { label: 'risk', info: 'low, medium, high or critical' },
  { label: 'reversible', info: 'whether the effect can be taken back' },
  { label: 'effect', info: 'read, put_if_match, keyed, queryable or unsafe' },
  { label: 'role', info: 'of the contract' },
  { label: 'authority', info: 'of the contract' },
]

const VALUES: ReadonlyMap<string, readonly string[]> = new Map([
  ['risk', ['low', 'medium', 'high', 'critical']],
  ['effect', ['read', 'put_if_match', 'keyed', 'queryable', 'unsafe']],
  ['role', ['EXECUTOR', 'STRATEGIST', 'MONITOR']],
  ['authority', ['OBSERVE', 'PROPOSE', 'EXECUTE_LIMITED', 'EXECUTE_FULL']],
])

const START: readonly Suggestion[] = [
  {
    label: 'forbid',
    insert: 'forbid(principal, action, resource)\nwhen { };',
    info: 'refuses what it is about, or asks a person',
  },
  { label: 'permit', insert: 'permit(principal, action, resource);' },
  { label: 'when' },
  { label: 'unless' },
  { label: 'principal', info: 'the agent' },
  { label: 'action', info: 'what is proposed' },
  { label: 'resource', info: 'the capability' },
  { label: 'context', info: 'parameters, measures and more' },
  {
    label: 'decimal',
    insert: 'decimal("0.0")',
    info: 'a number with up to four digits after the point',
  },
]

const ANNOTATIONS: readonly Suggestion[] = [
  { label: '@id', insert: '@id("")', info: 'the name of the rule, which a trace shows' },
  { label: '@reason', insert: '@reason("")', info: 'why, in words' },
  {
    label: '@require_approval',
    insert: '@require_approval("operator")',
    info: 'a person is asked',
  },
]

const COMPARISONS: readonly Suggestion[] = [
  'greaterThan',
  'greaterThanOrEqual',
  'lessThan',
  'lessThanOrEqual',
].map((label) => ({ label, insert: `${label}(decimal("0.0"))` }))

/** How far back it looks: a statement is longer, the place is not. */
const BACK = 2_000

export function completeCedar(
  text: string,
  at: number,
  known: KnownNames,
  explicit = false,
): Suggestions | null {
  const before = text.slice(Math.max(0, at - BACK), at)
  const line = before.slice(before.lastIndexOf('\n') + 1)
  if (isComment(line)) return null
  const found =
    completeEntity(line, known) ??
    completeMember(before, line, known) ??
    completeValue(line) ??
    completeWord(line, explicit)
  if (found === null) return null
  const { typed, options } = found
  return { from: at - typed.length, options: options.slice(0, MOST_SUGGESTIONS) }
}

type Found = { readonly typed: string; readonly options: readonly Suggestion[] }

function isComment(line: string): boolean {
  return line.replaceAll(/"(?:[^"\\]|\\.)*"?/g, '').includes('//')
}

function completeEntity(line: string, known: KnownNames): Found | null {
  const match = /\b(Action|Agent|Capability)::"?([^"]*)$/.exec(line)
  if (match === null) return null
  const [whole = '', type, name = ''] = match
  const hasQuote = whole.includes('"')
  const names =
    type === 'Agent'
      ? known.agents.map((label) => ({ label }))
      : known.actions.map(({ kind, summary }) => ({ label: kind, info: summary }))
  return {
    typed: hasQuote ? name : '',
    options: names.map((one) => ({ ...one, insert: quoteName(one.label, hasQuote) })),
  }
}

/** Behind a quote that stands there already. */
function quoteName(name: string, hasQuote: boolean): string {
  const quoted = quoteCedar(name)
  return hasQuote ? quoted.slice(1, -1) : quoted
}

/** As a text of Cedar: what would end it is escaped. */
export function quoteCedar(text: string): string {
  let quoted = ''
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    if (character === '"' || character === '\\') quoted += `\\${character}`
    else if (code < 0x20 || code > 0x7e) quoted += `\\u{${code.toString(16)}}`
    else quoted += character
  }
  return `"${quoted}"`
}

function completeMember(before: string, line: string, known: KnownNames): Found | null {
  const match = /\bcontext((?:\.[A-Za-z_]\w*|\["(?:[^"\\]|\\.)*"\])*)\.([A-Za-z_]\w*)?$/.exec(line)
  if (match === null) return null
  const [, path = '', typed = ''] = match
  const [first, ...rest] = [...path.matchAll(/\.(\w+)|\["((?:[^"\\]|\\.)*)"\]/g)].map(
    ([, plain, quoted]) => plain ?? quoted ?? '',
  )
  if (first === undefined) return { typed, options: CONTEXT }
  const actions = pickActions(before, known)
  if (first === 'measures')
    return rest.length > 0
      ? { typed, options: COMPARISONS }
      : { typed, options: listDistinct(actions.flatMap(({ measures }) => measures)).map(toMember) }
  if (first === 'confidence') return { typed, options: COMPARISONS }
  if (first !== 'params') return null
  const params = actions.flatMap((action) => action.params)
  const inside = params.filter(
    ({ path: of }) =>
      of.length === rest.length + 1 && rest.every((step, index) => of[index] === step),
  )
  const types = new Map(inside.map(({ path: of, type }) => [of.at(-1) ?? '', type]))
  return { typed, options: [...types].map(([name, type]) => ({ ...toMember(name), detail: type })) }
}

/** A name that is no word of Cedar is asked for in brackets, which replace the point before it. */
function toMember(name: string): Suggestion {
  if (/^[A-Za-z_]\w*$/.test(name)) return { label: name }
  return { label: name, insert: `[${quoteCedar(name)}]`, replacesBefore: 1 }
}

/** Those that the statement names; all where it names none. */
function pickActions(before: string, { actions }: KnownNames): KnownNames['actions'] {
  const statement = before.slice(before.lastIndexOf(';') + 1)
  const named = [...statement.matchAll(/Action::"([^"]*)"/g)].map(([, kind]) => kind)
  const found = actions.filter(({ kind }) => named.includes(kind))
  return found.length === 0 ? actions : found
}

function completeValue(line: string): Found | null {
  const match = /\bcontext\.(risk|effect|role|authority)\s*[=!]=\s*"([^"]*)$/.exec(line)
  if (match === null) return null
  const [, member = '', typed = ''] = match
  return { typed, options: (VALUES.get(member) ?? []).map((label) => ({ label })) }
}

function completeWord(line: string, explicit: boolean): Found | null {
  const annotation = /^\s*(@\w*)$/.exec(line)?.[1]
  if (annotation !== undefined) return { typed: annotation, options: ANNOTATIONS }
  const typed = /[A-Za-z_]\w*$/.exec(line)?.[0] ?? ''
  const isInside = (line.replaceAll(/\\./g, '').split('"').length - 1) % 2 === 1
  const isMember = /[.:"@]$/.test(line.slice(0, line.length - typed.length))
  if (isInside || isMember || (typed === '' && !explicit)) return null
  const types = ['Action', 'Agent', 'Capability'].map((label) => ({ label, insert: `${label}::` }))
  const options =
    line.trim() === typed ? [...START, ...ANNOTATIONS, ...types] : [...START, ...types]
  return { typed, options }
}
