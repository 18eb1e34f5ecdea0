/** What can be written at a place. Names come from others: they are shown as text, and inserted quoted where they need it. */
export type Suggestion = {
  readonly label: string
  /** Where it is another text. */
  readonly insert?: string
  /** So many characters before the place go with it: a point, where brackets take its place. */
  readonly replacesBefore?: number
  readonly detail?: string
  readonly info?: string
}

export type Suggestions = { readonly from: number; readonly options: readonly Suggestion[] }

/** What there is to name. */
export type KnownNames = {
  readonly actions: readonly KnownAction[]
  readonly agents: readonly string[]
  readonly topics: readonly string[]
}

export type KnownAction = {
  readonly kind: string
  readonly summary: string
  readonly measures: readonly string[]
  readonly params: readonly KnownParam[]
}

/** `path` is that of the member, `['to', 'account']`. */
export type KnownParam = { readonly path: readonly string[]; readonly type: string }

export const NO_NAMES: KnownNames = { actions: [], agents: [], topics: [] }

/** Each once, in the order of the first. */
export function listDistinct(names: readonly string[]): readonly string[] {
  return [...new Set(names)]
}

/** How many are offered at a place: more are found by typing. */
export const MOST_SUGGESTIONS = 500
