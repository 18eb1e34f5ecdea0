/** How many leaves are in the index, of how many. */
export type Indexed = {
  readonly leaf: number
  readonly size: number
  /** Why it goes no further, or is not kept; null: nothing is wrong. Agents read it: it names no path. */
  readonly problem: string | null
}
