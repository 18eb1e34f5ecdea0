export type Invariant =
  | 'I1'
  | 'I2'
  | 'I3'
  | 'I4'
  | 'I5'
  | 'I6'
  | 'I7'
  | 'I8'
  | 'I9'
  | 'I10'
  | 'I11'
  | 'I12'
  | 'I13'
  | 'I15'
  | 'I16'
  | 'I17'
  | 'I19'
  | 'I20'
  | 'I21'
  | 'I22'
  | 'I23'
  | 'I24'
  | 'I25'
  | 'I26'
  | 'I27'
  | 'I28'
  | 'I29'
  | 'I30'

export type Violation = { readonly invariant: Invariant; readonly detail: string }

/** Where a part of the auditor puts what it finds. */
export type Report = (invariant: Invariant, detail: string) => void

/** What the auditor knows of an entry: the raw line, and its payload parsed once. */
export type Line = {
  readonly id: string
  readonly leaf: number
  readonly trajectory: string
  readonly seq: number
  readonly kind: string
  readonly at: string
  readonly dfid: string | undefined
  readonly authoritySeq: number | undefined
  readonly payload: unknown
}
