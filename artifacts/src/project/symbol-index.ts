/**
 * Finds symbols of many artifacts: by path, by the beginning of a path, by name, by the beginning of a name.
 *
 * I1 an artifact that is put again is only what it is now; one that is taken out leaves nothing.
 * I2 an answer is bounded, says whether there is more, and is the same for the same artifacts however they came in.
 */
import { formatSegment } from '../path/symbol-path.ts'
import { PathTable, toRow } from './path-table.ts'
import { findPlace, SortedNames } from './sorted-names.ts'

export type IndexedSymbol = {
  readonly artifact: string
  readonly path: string
  readonly kind: string
  readonly name: string
}

export type IndexAnswer = { readonly symbols: readonly IndexedSymbol[]; readonly more: boolean }

export class SymbolIndex {
  readonly #tables = new Map<string, PathTable>()
  /** The artifacts that have a symbol of a name, in their order. One alone is kept without a list. */
  readonly #names = new SortedNames<string | string[]>()
  #size = 0

  get size(): number {
    return this.#size
  }

  /** How many different names its symbols have. */
  get names(): number {
    return this.#names.size
  }

  put(artifact: string, paths: readonly string[]): void {
    const before = this.#tables.get(artifact)
    const table = new PathTable(paths)
    const [old, now] = [before?.listNames() ?? new Set<string>(), table.listNames()]
    for (const name of old) if (!now.has(name)) this.#dropName(name, artifact)
    for (const name of now) if (!old.has(name)) this.#addName(name, artifact)
    this.#size += table.size - (before?.size ?? 0)
    if (table.size === 0) this.#tables.delete(artifact)
    else this.#tables.set(artifact, table)
  }

  remove(artifact: string): void {
    this.put(artifact, [])
  }

  find(artifact: string, path: string): IndexedSymbol | null {
    return this.#tables.get(artifact)?.has(path) === true ? toSymbol(artifact, path) : null
  }

  /** Of one artifact: paths that begin so. */
  listByPath(artifact: string, prefix: string, limit: number): IndexAnswer {
    const paths = this.#tables.get(artifact)?.listFrom(prefix, limit + 1) ?? []
    return finish(
      paths.map((path) => ({ artifact, path })),
      limit,
    )
  }

  listByName(name: string, limit: number): IndexAnswer {
    const key = toKey(name)
    return finish(this.#listNamed(key, this.#names.get(key) ?? [], limit + 1), limit)
  }

  /** Names that begin so, in their order. */
  listByPrefix(prefix: string, limit: number): IndexAnswer {
    const found: Found[] = []
    for (const [name, artifacts] of this.#names.listFrom(toKey(prefix))) {
      found.push(...this.#listNamed(name, artifacts, limit + 1 - found.length))
      if (found.length > limit) break
    }
    return finish(found, limit)
  }

  #listNamed(name: string, artifacts: string | readonly string[], limit: number): readonly Found[] {
    const found: Found[] = []
    for (const artifact of typeof artifacts === 'string' ? [artifacts] : artifacts) {
      if (found.length >= limit) break
      const paths = this.#tables.get(artifact)?.listByName(name, limit - found.length) ?? []
      for (const path of paths) found.push({ artifact, path })
    }
    return found
  }

  #addName(name: string, artifact: string): void {
    const known = this.#names.get(name)
    if (known === undefined) this.#names.set(copyText(name), artifact)
    else {
      const list = typeof known === 'string' ? [known] : known
      list.splice(findPlace(list, artifact), 0, artifact)
      this.#names.set(name, list)
    }
  }

  #dropName(name: string, artifact: string): void {
    const known = this.#names.get(name)
    if (known === undefined || known === artifact) this.#names.delete(name)
    else if (typeof known !== 'string') {
      const at = findPlace(known, artifact)
      if (known[at] === artifact) known.splice(at, 1)
      const [only] = known
      if (known.length === 1 && only !== undefined) this.#names.set(name, only)
    }
  }
}

type Found = Pick<IndexedSymbol, 'artifact' | 'path'>

function finish(found: readonly Found[], limit: number): IndexAnswer {
  const symbols = found.slice(0, limit).map(({ artifact, path }) => toSymbol(artifact, path))
  return { symbols, more: found.length > limit }
}

function toSymbol(artifact: string, path: string): IndexedSymbol {
  return { artifact, ...toRow(path) }
}

/** A part of a text may keep all of it in memory: what stays longer than its table is a text of its own. */
function copyText(text: string): string {
  return String(JSON.parse(JSON.stringify(text)))
}

/** Names are kept as paths write them. */
function toKey(name: string): string {
  return formatSegment({ kind: 'name', name, ordinal: null }).slice('name:'.length)
}
