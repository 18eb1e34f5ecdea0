/**
 * What somebody changed in the playground, and the fragment of the address that holds it. Fragments
 * are not sent to servers, so that a long draft is no long request.
 */
import type { TryLawAsked } from 'rubicon-agents/client'

export type PolicyDraft = {
  /** Which policy the Cedar text takes the place of. */
  readonly policy: string
  /** Null: not changed. */
  readonly cedar: string | null
  readonly contract: string | null
  /** JSON, as it is typed. */
  readonly params: string | null
  readonly state: string | null
}

export const NO_DRAFT: PolicyDraft = {
  policy: 'draft',
  cedar: null,
  contract: null,
  params: null,
  state: null,
}

const FRAGMENT = '#draft='
const LONGEST = 200_000

export function draftFragment(draft: PolicyDraft): string {
  const { policy: _, ...texts } = draft
  if (Object.values(texts).every((text) => text === null)) return ''
  return `${FRAGMENT}${encodeURIComponent(JSON.stringify(draft))}`
}

/** Whatever stands in an address was written by somebody: what is no draft is none. */
export function parseDraft(fragment: string): PolicyDraft {
  if (!fragment.startsWith(FRAGMENT) || fragment.length > LONGEST) return NO_DRAFT
  try {
    const read: unknown = JSON.parse(decodeURIComponent(fragment.slice(FRAGMENT.length)))
    return isDraft(read) ? read : NO_DRAFT
  } catch {
    return NO_DRAFT
  }
}

function isDraft(read: unknown): read is PolicyDraft {
  if (typeof read !== 'object' || read === null) return false
  const members = { ...NO_DRAFT, ...read }
  const { policy, ...texts } = members
  return (
    Object.keys(members).length === Object.keys(NO_DRAFT).length &&
    typeof policy === 'string' &&
    Object.values(texts).every((text) => text === null || typeof text === 'string')
  )
}

type Question = Pick<TryLawAsked['body'], 'contract' | 'cedar' | 'params' | 'state'>

export type Asked =
  | { readonly ok: true; readonly question: Question }
  /** What cannot be sent, and why. */
  | { readonly ok: false; readonly where: 'params' | 'state'; readonly why: string }

export function toQuestion(draft: PolicyDraft): Asked {
  const { policy, cedar, contract } = draft
  const changed: { params?: Record<string, unknown>; state?: Record<string, unknown> } = {}
  for (const where of ['params', 'state'] as const) {
    const text = draft[where]
    if (text === null) continue
    const read = parseObject(text)
    if (typeof read === 'string') return { ok: false, where, why: read }
    changed[where] = read
  }
  return {
    ok: true,
    question: {
      ...changed,
      ...(contract === null ? {} : { contract }),
      ...(cedar === null || cedar.trim() === '' ? {} : { cedar: { name: policy, text: cedar } }),
    },
  }
}

/** In words what is wrong with it, or the object. */
function parseObject(text: string): Record<string, unknown> | string {
  try {
    const read: unknown = JSON.parse(text)
    if (typeof read !== 'object' || read === null || Array.isArray(read))
      return 'it is not a JSON object'
    return read as Record<string, unknown>
  } catch (error) {
    return error instanceof Error ? error.message : 'it is not JSON'
  }
}
