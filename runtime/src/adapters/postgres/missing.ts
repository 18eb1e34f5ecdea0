/** What a unit asked for that has not been read. */
export type Gap =
  | { readonly kind: 'head'; readonly trajectory: string }
  | { readonly kind: 'page'; readonly trajectory: string; readonly prefix: string }
  | { readonly kind: 'world'; readonly trajectory: string }
  | { readonly kind: 'entry'; readonly trajectory: string; readonly seq: number }
  /** The seq of the last commit. */
  | { readonly kind: 'last_commit'; readonly trajectory: string }
  /** The commits up to a seq. */
  | { readonly kind: 'commits'; readonly trajectory: string; readonly last: number }

export class Missing extends Error {
  readonly gap: Gap

  constructor(gap: Gap) {
    super(`a ${gap.kind} of \`${gap.trajectory}\` was not read`)
    this.gap = gap
  }
}
