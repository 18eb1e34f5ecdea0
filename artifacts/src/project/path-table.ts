/**
 * The paths of one artifact in two flat parts: one text that holds all of them, and where each begins. A million symbols are kept by the
 * index; an object for each would be most of its memory.
 */
export type PathRow = { readonly path: string; readonly kind: string; readonly name: string }

export class PathTable {
  readonly #text: string
  readonly #starts: Uint32Array
  /** Rows in the order of their names. */
  readonly #byName: Uint32Array

  constructor(paths: readonly string[]) {
    const sorted = [...new Set(paths)].sort()
    this.#starts = new Uint32Array(sorted.length + 1)
    let at = 0
    for (const [i, path] of sorted.entries()) {
      this.#starts[i] = at
      at += path.length
    }
    this.#starts[sorted.length] = at
    this.#text = sorted.join('')
    const names = sorted.map(toName)
    this.#byName = Uint32Array.from(sorted.keys()).sort((a, b) =>
      (names[a] ?? '') < (names[b] ?? '') ? -1 : (names[a] ?? '') > (names[b] ?? '') ? 1 : a - b,
    )
  }

  get size(): number {
    return this.#starts.length - 1
  }

  has(path: string): boolean {
    return this.#read(this.#findPath(path)) === path
  }

  listNames(): ReadonlySet<string> {
    return new Set(Array.from({ length: this.size }, (_, row) => toName(this.#read(row))))
  }

  /** Paths that begin so, in their order. */
  listFrom(prefix: string, limit: number): readonly string[] {
    const found: string[] = []
    for (let row = this.#findPath(prefix); row < this.size && found.length < limit; row += 1) {
      const path = this.#read(row)
      if (!path.startsWith(prefix)) break
      found.push(path)
    }
    return found
  }

  listByName(name: string, limit: number): readonly string[] {
    const readName = (place: number): string => toName(this.#read(this.#byName[place] ?? 0))
    let [low, high] = [0, this.size]
    while (low < high) {
      const middle = (low + high) >> 1
      if (readName(middle) < name) low = middle + 1
      else high = middle
    }
    const found: string[] = []
    for (; low < this.size && found.length < limit && readName(low) === name; low += 1)
      found.push(this.#read(this.#byName[low] ?? 0))
    return found
  }

  #findPath(path: string): number {
    let [low, high] = [0, this.size]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#read(middle) < path) low = middle + 1
      else high = middle
    }
    return low
  }

  #read(row: number): string {
    return this.#text.slice(this.#starts[row] ?? 0, this.#starts[row + 1] ?? 0)
  }
}

/** Of a path that is in a table: what was put in was a path. */
export function toRow(path: string): PathRow {
  const from = path.lastIndexOf('/') + 1
  const name = toName(path)
  return {
    path,
    kind: path.slice(from, path.indexOf(':', from)),
    name: name.includes('%') ? decodeURIComponent(name) : name,
  }
}

/** As it is written in a path: encoded, so that every name has one spelling. */
function toName(path: string): string {
  const from = path.indexOf(':', path.lastIndexOf('/') + 1) + 1
  const ordinal = path.indexOf('#', from)
  return path.slice(from, ordinal < 0 ? path.length : ordinal)
}
