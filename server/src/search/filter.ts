/** What a list is asked for: one filter for all lists. What a list cannot answer is refused, with why. */
import {
  err,
  LIMITS,
  ok,
  parseDecimal,
  parseInstant,
  type Result,
  toBudgetUnits,
} from 'rubicon-kernel'
import { normaliseWords } from './flow-words.ts'
import { ASKED_OUTCOMES, type AskedOutcome } from './fold-entry.ts'
import { LISTS, type ListName } from './lists.ts'
import { isShort, TRIGRAM } from './words-in-file.ts'

export type Filter = {
  readonly since?: number
  /** Exclusive. */
  readonly until?: number
  readonly agent?: string
  readonly kind?: string
  readonly outcome?: AskedOutcome
  readonly reason?: string
  readonly measure?: string
  /** Minor units of the measure, inclusive. */
  readonly amount_min?: number
  readonly amount_max?: number
  readonly tag?: string
  /** Each has to occur somewhere. */
  readonly words: readonly string[]
  readonly sort: FilterSort
  readonly beyond?: PlaceInList
  readonly limit: number
  /** Columns that a list has of its own, each with the words that are wanted. */
  readonly columns: Readonly<Record<string, readonly string[]>>
}

/** Where the page before ended. */
export type PlaceInList = {
  /** Of its last row: the value in the column of the order, and its name. */
  readonly value: string | number | null
  readonly key: string | number
  /** Which amounts the list has, also if nobody said: by now there may be others, or none. */
  readonly measure: string | null
  /** How far the index had come. */
  readonly leaf: number
}

export type FilterSort = { readonly column: string; readonly descending: boolean }

/** Which member of the query is wrong, and how. */
export type FilterProblem = { readonly path: string; readonly detail: string }

type Query = Readonly<Record<string, string>>
type Parsed<T> = Result<T, FilterProblem>

/** Members that only the index can answer. */
const SEARCHED = [
  'kind',
  'outcome',
  'reason',
  'measure',
  'amount_min',
  'amount_max',
  'words',
  'sort',
]

export function isSearch(list: ListName, query: Query): boolean {
  const own = LISTS[list].searched
  return [...SEARCHED, ...own].some((name) => query[name] !== undefined)
}

export type FilterFrame = {
  readonly list: ListName
  readonly limit: number
  /** The agent that asks, which sees what is its own. */
  readonly own: string | null
  /** The measures that amounts in the index have. */
  readonly measures: readonly string[]
}

export function parseFilter(query: Query, frame: FilterFrame): Parsed<Filter> {
  const { list, limit, own } = frame
  const { refused, columns: known } = LISTS[list]
  for (const [name, detail] of Object.entries(refused))
    if (query[name] !== undefined) return refuseMember(name, detail)
  // Entries of its flows have words that an agent is not shown; by searching it would find them out.
  if (own !== null && query.words !== undefined)
    return refuseMember('words', 'words are searched by people')
  const since = parseTime(query, 'since')
  if (!since.ok) return since
  const until = parseTime(query, 'until')
  if (!until.ok) return until
  const sort = parseSort(query.sort, list)
  if (!sort.ok) return sort
  const beyond = parsePlace(query.cursor)
  if (!beyond.ok) return beyond
  const amounts = parseAmounts(query, sort.value, frame.measures, beyond.value)
  if (!amounts.ok) return amounts
  const words = parseWords(query.words)
  if (!words.ok) return words
  const outcome = ASKED_OUTCOMES.find((one) => one === query.outcome)
  const agent = own ?? query.agent
  const columns = known.flatMap((name) => {
    const said = query[name]
    return said === undefined ? [] : [[name, said.split(',')] as const]
  })
  return ok({
    ...omitUndefined({
      since: since.value,
      until: until.value,
      agent,
      outcome,
      beyond: beyond.value,
    }),
    ...omitUndefined({ kind: query.kind, reason: query.reason, tag: query.tag }),
    ...amounts.value,
    words: words.value,
    sort: sort.value,
    limit,
    columns: Object.fromEntries(columns),
  })
}

function parseTime(query: Query, name: string): Parsed<number | undefined> {
  const text = query[name]
  if (text === undefined) return ok(undefined)
  const moment = parseInstant(text)
  return moment === undefined ? refuseMember(name, 'it is no instant in UTC') : ok(moment)
}

function parseSort(text: string | undefined, list: ListName): Parsed<FilterSort> {
  const { sorts, order } = LISTS[list]
  if (text === undefined) return ok(order)
  const descending = text.startsWith('-')
  const column = descending ? text.slice(1) : text
  if (Object.hasOwn(sorts, column)) return ok({ column, descending })
  const known = Object.keys(sorts).join(', ')
  return refuseMember('sort', `the list is sorted by ${known}, with - before it: the largest first`)
}

type Amounts = Pick<Filter, 'measure' | 'amount_min' | 'amount_max'>

/** Amounts of several measures cannot be compared. */
function parseAmounts(
  query: Query,
  { column }: FilterSort,
  measures: readonly string[],
  beyond: PlaceInList | undefined,
): Parsed<Amounts> {
  const names = ['amount_min', 'amount_max'] as const
  const asked = names.filter((name) => query[name] !== undefined)
  const isCompared = asked.length > 0 || column === 'amount'
  const isFirst = beyond === undefined
  if (query.measure === undefined && isCompared && isFirst && measures.length > 1)
    return refuseMember('measure', `say which: there are amounts of ${measures.join(', ')}`)
  const usual = isFirst ? measures[0] : (beyond.measure ?? undefined)
  const measure = query.measure ?? (isCompared ? usual : undefined)
  if (measure === undefined && !isCompared) return ok({})
  const found: Record<string, number> = {}
  for (const name of asked) {
    const units = toBound(measure ?? '', query[name] ?? '')
    if (units === null)
      return refuseMember(
        name,
        'it is no amount, such as 500 or 20.50, or larger than any that is counted',
      )
    found[name] = units
  }
  return ok({ ...(measure === undefined ? {} : { measure }), ...found })
}

function toBound(measure: string, text: string): number | null {
  if (parseDecimal(text) === undefined) return null
  const units = toBudgetUnits(measure, text)
  return units === undefined ? null : Number(units)
}

/** Every row has to be read for a short word: with many of them, everybody else would wait. */
const SHORT_WORDS = 4

function parseWords(text: string | undefined): Parsed<readonly string[]> {
  const all = normaliseWords(text ?? '')
    .split(/\s+/)
    .filter((word) => word !== '')
  if (all.length > LIMITS.queryTerms)
    return refuseMember('words', `at most ${LIMITS.queryTerms} words are searched for`)
  const words = [...new Set(all)]
  if (words.filter(isShort).length <= SHORT_WORDS) return ok(words)
  const detail = `at most ${SHORT_WORDS} of the words are shorter than ${TRIGRAM} letters`
  return refuseMember('words', detail)
}

/** Base64url of `[value, key, measure, leaf]`, as `encodePlace` writes it. */
function parsePlace(cursor: string | undefined): Parsed<PlaceInList | undefined> {
  if (cursor === undefined) return ok(undefined)
  const place = readPlace(Buffer.from(cursor, 'base64url').toString('utf8'))
  if (place === null || encodePlace(place) !== cursor)
    return refuseMember('cursor', 'it is no cursor')
  return ok(place)
}

export function encodePlace({ value, key, measure, leaf }: PlaceInList): string {
  return Buffer.from(JSON.stringify([value, key, measure, leaf])).toString('base64url')
}

function readPlace(text: string): PlaceInList | null {
  try {
    const read: unknown = JSON.parse(text)
    if (!Array.isArray(read) || read.length !== 4) return null
    const [value, key, measure, leaf] = read
    const isValue = value === null || typeof value === 'string' || Number.isSafeInteger(value)
    const isKey = typeof key === 'string' || Number.isSafeInteger(key)
    const isMeasure = measure === null || typeof measure === 'string'
    return isValue && isKey && isMeasure && Number.isSafeInteger(leaf)
      ? { value, key, measure, leaf }
      : null
  } catch {
    return null
  }
}

function refuseMember(name: string, detail: string): Result<never, FilterProblem> {
  return err({ path: `/${name}`, detail })
}

type Defined<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> }

function omitUndefined<T extends object>(members: T): Defined<T> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  ) as Defined<T>
}
