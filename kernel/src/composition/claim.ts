/**
 * What a delta claims of an artifact, so that conflicts are found when work is planned and not when it is merged. A path is a list of
 * segments; the empty one is the artifact.
 */
export type SymbolPath = readonly string[]

/** What of a symbol a write changes: all of it with everything in it, or one part. */
export type WrittenPart = 'subtree' | 'body' | 'signature' | 'name' | 'value'

export type WriteClaim = { readonly path: SymbolPath; readonly part: WrittenPart }

/**
 * A member that is put into a container. Its name is claimed; of the container nothing but that it is there. `free`: it means the
 * same in any place among its siblings.
 */
export type InsertClaim = {
  readonly container: SymbolPath
  /** As the segment of its path, `method:login`. */
  readonly segment: string
  readonly order: 'free' | 'fixed'
  /** The segment that it is put behind; null: first; absent: last. */
  readonly after?: string | null
}

/**
 * What a claim relies on. `header`: a symbol without its members, so that others may add some. `definition`: all that others see of it.
 */
export type ReadClaim =
  | {
      readonly kind: 'symbol'
      /** Absent: the artifact that the claim is about. */
      readonly artifact?: string
      readonly path: SymbolPath
      readonly part: 'header' | 'definition'
      /** Of that part, when it was read. */
      readonly hash: string
    }
  /** What a module exports, as the text names it: which artifact that is, is for the project to say. `name` null: all of it. */
  | { readonly kind: 'export'; readonly from: string; readonly name: string | null }

/** What one delta, or one list of deltas of one author, claims. */
export type ClaimSet = {
  /** By which claims are put in order: the same for everybody, whoever came first. */
  readonly key: string
  readonly artifact: string
  readonly writes: readonly WriteClaim[]
  readonly inserts: readonly InsertClaim[]
  /** Symbols that it refers to: it holds only as long as their definitions do. */
  readonly reads: readonly ReadClaim[]
  /** Symbols whose definitions are others, or gone, behind it. */
  readonly redefines: readonly SymbolPath[]
  /** Symbols that have other members behind it, and the header that they had. */
  readonly memberships?: readonly SymbolPath[]
  /** Its place in a sequence; absent: it does not matter. */
  readonly order?: number
}
