/** RFC 6962, with every perfect subtree kept, so that the root of any earlier size is at hand. */
import { computeSha256 } from './bytes.ts'

export class Tree {
  readonly #levels: Buffer[][] = [[]]

  get size(): number {
    return this.#levels[0]?.length ?? 0
  }

  add(id: string): void {
    const leaf = computeSha256(Buffer.concat([Buffer.of(0), Buffer.from(id.slice(7), 'hex')]))
    let node = leaf
    for (let level = 0; ; level++) {
      this.#levels[level] ??= []
      const row = this.#levels[level] ?? []
      row.push(node)
      if (row.length % 2 === 1) return
      const left = row.at(-2)
      if (left === undefined) return
      node = hashBranch(left, node)
    }
  }

  computeRoot(size: number): Buffer {
    const roots: Buffer[] = []
    let from = 0
    for (let level = 31; level >= 0; level--) {
      const width = 2 ** level
      if ((size & width) === 0) continue
      const node = this.#levels[level]?.[from / width]
      if (node === undefined) throw new Error('the tree is smaller')
      roots.push(node)
      from += width
    }
    const last = roots.pop()
    return last === undefined
      ? computeSha256('')
      : roots.reduceRight((right, left) => hashBranch(left, right), last)
  }
}

function hashBranch(left: Uint8Array, right: Uint8Array): Buffer {
  return computeSha256(Buffer.concat([Buffer.of(1), left, right]))
}
