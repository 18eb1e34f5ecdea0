import {
  type Address,
  computeFrontierRoot,
  decodeHex,
  emptyFrontier,
  encodeBase64,
  extendFrontierAll,
  hashLeaf,
  type Sha256,
} from 'rubicon-kernel'
import type { TreeSummary } from '../report/report.ts'
import type { Trust } from './trust.ts'

export type Tree = {
  /** Null for a line that could not be read: it counts, and the root will not fit. */
  readonly append: (id: Address | null) => void
  readonly size: () => number
  readonly root: () => Uint8Array
  /** The root when the tree had this size, if that was one to watch for. */
  readonly rootAt: (size: number) => Uint8Array | undefined
  readonly summary: () => TreeSummary | null
}

const BATCH = 1_024
const ID_BYTES = 32
const SCHEME_LENGTH = 'sha256:'.length
const UNKNOWN = new Uint8Array(32)

/** The tenant's tree as entries come, in batches; nothing of it is kept but the frontier. */
export function createTree(sha256: Sha256, ...watched: readonly (number | undefined)[]): Tree {
  const sizes = new Set(watched)
  const roots = new Map<number, Uint8Array>()
  let frontier = emptyFrontier
  let batch: Uint8Array[] = []

  const flush = (): void => {
    frontier = extendFrontierAll(frontier, batch, sha256)
    batch = []
  }
  const getSize = (): number => frontier.size + batch.length
  const computeRoot = (): Uint8Array => {
    flush()
    return computeFrontierRoot(frontier, sha256)
  }
  const append = (id: Address | null): void => {
    const input = id === null ? undefined : decodeIdBytes(id)
    batch.push(input === undefined ? UNKNOWN : hashLeaf(input, sha256))
    if (sizes.has(getSize())) roots.set(getSize(), computeRoot())
    if (batch.length === BATCH) flush()
  }

  return {
    append,
    size: getSize,
    root: computeRoot,
    rootAt: (wanted) => roots.get(wanted),
    summary: () => ({ size: getSize(), root: encodeBase64(computeRoot()) }),
  }
}

let lastId: string | undefined
let lastBytes: Uint8Array | undefined

/**
 * The 32 bytes of an id; undefined where it is none. The chain and the tree ask one after the other
 * for the same entry, and this is the hot path of a store's verification: the last answer is kept.
 */
export function decodeIdBytes(id: Address): Uint8Array | undefined {
  if (id !== lastId) {
    const bytes = decodeHex(id.slice(SCHEME_LENGTH))
    lastBytes = bytes?.length === ID_BYTES ? bytes : undefined
    lastId = id
  }
  return lastBytes
}

export function getTrustedSize(trust: Trust | undefined): number | undefined {
  return trust?.kind === 'checkpoint' ? trust.checkpoint.size : undefined
}
