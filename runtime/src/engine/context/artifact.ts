/** A reference document, as it is given and as it is found. */
import type { FactLabel } from 'rubicon-kernel'

/** A reference document that agents find by its words. */
export type Artifact = {
  /** An identifier. */
  readonly name: string
  /** What it is about, in a line. */
  readonly title: string
  /** Its whole text; it is split into pieces. */
  readonly text: string
  /** Whose word it is; that of whoever puts it there when left out. */
  readonly label?: FactLabel
}

/** A reference document as it is found. */
export type Indexed = {
  /** As it was given. */
  readonly name: string
  /** Of its text, as it was cleaned. */
  readonly hash: string
  /** Pieces that it was split into. */
  readonly chunks: number
  /** What in it looks like an order to a model. */
  readonly flags: readonly string[]
}
