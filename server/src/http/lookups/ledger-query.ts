/**
 * What somebody searches the ledger for, as text: terms with spaces between them. Two terms of one
 * kind mean either; terms of several kinds mean all of them.
 */
import {
  ENTRY_KINDS,
  err,
  type Failure,
  isDfid,
  isIdentifier,
  isReasonCode,
  LIMITS,
  ok,
  type Result,
} from 'rubicon-kernel'
import { type EntryFilter, ID_DIGITS } from 'rubicon-runtime/engine/ledger'

/** How a search is written, for whoever wrote it otherwise. */
export const QUERY_SYNTAX =
  'a leaf (`4711`), an id (`sha256:` and at least 8 digits), a place (`main/12`), a dfid, a kind, a reason code; or `agent:`, `kind:`, `code:`, `dfid:`, `trajectory:` with a name'

type Term =
  | { readonly is: 'leaf'; readonly leaf: number }
  | { readonly is: 'id'; readonly digits: string }
  | { readonly is: 'place'; readonly trajectory: string; readonly seq: number }
  | { readonly is: Named; readonly word: string }

type Named = 'dfid' | 'agent_id' | 'kind' | 'code' | 'trajectory'

const NAMES: ReadonlyMap<string, Named> = new Map([
  ['agent', 'agent_id'],
  ['kind', 'kind'],
  ['code', 'code'],
  ['dfid', 'dfid'],
  ['trajectory', 'trajectory'],
])

export function parseLedgerQuery(text: string): Result<EntryFilter, Failure> {
  const words = text.split(/\s+/).filter((word) => word !== '')
  if (words.length > LIMITS.queryTerms)
    return refuseQuery(`a search has at most ${LIMITS.queryTerms} terms`)
  const terms: Term[] = []
  for (const word of words) {
    const term = parseTerm(word)
    if (term === null) return refuseQuery(`\`${word}\` is nothing that an entry is found by`)
    terms.push(term)
  }
  const [place, another] = terms.filter((term) => !('word' in term))
  if (another !== undefined) return refuseQuery('a search names one place or one id')
  return ok({ ...toPlaceFilter(place), ...toNameFilter(terms) })
}

function parseTerm(word: string): Term | null {
  if (/^#?(0|[1-9][0-9]{0,14})$/.test(word))
    return { is: 'leaf', leaf: Number(word.replace('#', '')) }
  const id = /^sha256:([0-9a-f]{1,64})$/.exec(word)?.[1]
  if (id !== undefined) return id.length < ID_DIGITS ? null : { is: 'id', digits: id }
  const [, trajectory, seq] = /^([^/]+)\/(0|[1-9][0-9]{0,14})$/.exec(word) ?? []
  if (trajectory !== undefined && isIdentifier(trajectory))
    return { is: 'place', trajectory, seq: Number(seq) }
  return parseNamed(word) ?? parseBare(word)
}

function parseNamed(word: string): Term | null {
  const colon = word.indexOf(':')
  const is = NAMES.get(word.slice(0, colon))
  const name = word.slice(colon + 1)
  return is === undefined || !isIdentifier(name) ? null : { is, word: name }
}

/** What can be nothing else. */
function parseBare(word: string): Term | null {
  if (isDfid(word)) return { is: 'dfid', word }
  if (ENTRY_KINDS.some((kind) => kind === word)) return { is: 'kind', word }
  return isReasonCode(word) ? { is: 'code', word } : null
}

function toPlaceFilter(term: Term | undefined): Pick<EntryFilter, 'leaf' | 'place' | 'digits'> {
  if (term?.is === 'leaf') return { leaf: term.leaf }
  if (term?.is === 'id') return { digits: term.digits }
  if (term?.is !== 'place') return {}
  return { place: { trajectory: term.trajectory, seq: term.seq } }
}

function toNameFilter(terms: readonly Term[]): Pick<EntryFilter, 'dfid' | 'facts'> {
  const words = new Map<Named, string[]>()
  for (const term of terms) {
    if (!('word' in term)) continue
    words.set(term.is, [...(words.get(term.is) ?? []), term.word])
  }
  const dfid = words.get('dfid')
  words.delete('dfid')
  return { ...(dfid === undefined ? {} : { dfid }), facts: Object.fromEntries(words) }
}

function refuseQuery(summary: string): Result<never, Failure> {
  return err({ code: 'QUERY_UNREADABLE', summary, fix: `write ${QUERY_SYNTAX}` })
}
