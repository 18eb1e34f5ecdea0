/**
 * The time that counts is the store's: what it writes is dated by it, and everything that begins and
 * ends is judged by it. The clock of a process is only compared with it.
 */

/** Why the clock cannot be believed: where it stands, and where it last stood. */
export type ClockSkew = {
  readonly kind: 'ahead' | 'behind'
  readonly clock: string
  readonly last: string
}

export function describeSkew({ kind, clock, last }: ClockSkew): string {
  return `the clock stands at ${clock}, ${kind === 'ahead' ? 'ahead of' : 'behind'} ${last} where it last was`
}

export interface StoreTime {
  /** Epoch milliseconds. While the clock cannot be believed, the last time at which it could. */
  getNow(): number
  /** Null: it goes as it should. */
  findSkew(): ClockSkew | null
  /** An operator's word that the clock is right as it stands. The returned function takes it back. */
  confirm(): () => void
}
