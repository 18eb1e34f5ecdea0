/**
 * Names in the order of their units, with what belongs to each. Names lie in blocks, so that putting one in moves one block and not all
 * of them.
 */
const BLOCK = 512

type Block<T> = { readonly names: string[]; readonly values: T[] }

export class SortedNames<T> {
  readonly #blocks: Block<T>[] = [{ names: [], values: [] }]
  #size = 0

  get size(): number {
    return this.#size
  }

  get(name: string): T | undefined {
    const { block, at } = this.#find(name)
    return block.names[at] === name ? block.values[at] : undefined
  }

  set(name: string, value: T): void {
    const { block, at, index } = this.#find(name)
    if (block.names[at] === name) block.values[at] = value
    else {
      block.names.splice(at, 0, name)
      block.values.splice(at, 0, value)
      this.#size += 1
      if (block.names.length > BLOCK * 2) this.#split(index)
    }
  }

  delete(name: string): void {
    const { block, at, index } = this.#find(name)
    if (block.names[at] !== name) return
    block.names.splice(at, 1)
    block.values.splice(at, 1)
    this.#size -= 1
    if (block.names.length === 0 && this.#blocks.length > 1) this.#blocks.splice(index, 1)
  }

  /** Those that begin so, in their order. */
  *listFrom(prefix: string): Generator<readonly [string, T]> {
    const { index, at } = this.#find(prefix)
    for (let i = index; i < this.#blocks.length; i += 1) {
      const block = this.#blocks[i]
      if (block === undefined) return
      for (let j = i === index ? at : 0; j < block.names.length; j += 1) {
        const [name, value] = [block.names[j], block.values[j]]
        if (name === undefined || value === undefined || !name.startsWith(prefix)) return
        yield [name, value]
      }
    }
  }

  #split(index: number): void {
    const block = this.#blocks[index]
    if (block === undefined) return
    const half = block.names.length >> 1
    const [names, values] = [block.names.splice(half), block.values.splice(half)]
    this.#blocks.splice(index + 1, 0, { names, values })
  }

  /** The block that a name belongs to, and its place there. */
  #find(name: string): { readonly block: Block<T>; readonly index: number; readonly at: number } {
    let [low, high] = [0, this.#blocks.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#blocks[middle]?.names[0] ?? '') <= name) low = middle
      else high = middle - 1
    }
    // A name that begins a block may also end the one before it as a prefix does: blocks do not share names.
    const block = this.#blocks[low] ?? { names: [], values: [] }
    return { block, index: low, at: findPlace(block.names, name) }
  }
}

/** The first place whose name is not less. */
export function findPlace(names: readonly string[], name: string): number {
  let [low, high] = [0, names.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((names[middle] ?? '') < name) low = middle + 1
    else high = middle
  }
  return low
}
