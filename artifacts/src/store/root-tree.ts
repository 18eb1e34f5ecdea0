/**
 * Which name has which hash, as one hash: a tree of blobs that shares with the tree before it all that did not change.
 *
 * N1 one set of names has one tree, whatever way led there: a node with at most `LEAF` names is a leaf, any other a branch by the next
 *    digit of the names' hashes.
 * N2 a change writes one leaf and the branches above it: 10,000 changes of one of 1,000 files are 30,000 small blobs.
 */
import { hash as computeHash } from 'node:crypto'
import { err, ok, type Result } from 'rubicon-kernel'
import { type BlobProblem, type BlobStore, putText } from './blob-store.ts'
import { type ContentHash, isContentHash } from './content-hash.ts'

type Entry = readonly [name: string, hash: ContentHash]
type Leaf = { readonly leaf: readonly Entry[] }
type Child = readonly [node: ContentHash, count: number] | null
type Branch = { readonly branch: readonly Child[] }
type Node = Leaf | Branch

type Update = { readonly name: string; readonly key: string; readonly hash: ContentHash | null }

export type RootDifference = {
  readonly name: string
  readonly before: ContentHash | null
  readonly after: ContentHash | null
}

const LEAF = 16
const DIGITS = '0123456789abcdef'
/** Nodes that were read last: those next to the root are read by everybody. */
const REMEMBERED = 16_384
const EMPTY: Leaf = { leaf: [] }

/** A blob is not there, or not what it says. Only within this file. */
class NodeUnread extends Error {
  readonly problem: BlobProblem
  constructor(problem: BlobProblem) {
    super(problem.detail)
    this.problem = problem
  }
}

export class RootTree {
  readonly #blobs: BlobStore
  readonly #nodes = new Map<ContentHash, Node>()

  constructor(blobs: BlobStore) {
    this.#blobs = blobs
  }

  /** The root of no names at all. */
  createEmpty(): Promise<ContentHash> {
    return this.#save(EMPTY)
  }

  /** Null takes a name out. */
  update(
    root: ContentHash,
    changes: ReadonlyMap<string, ContentHash | null>,
  ): Promise<Result<ContentHash, BlobProblem>> {
    const updates = [...changes].map(([name, hash]) => ({ name, hash, key: toKey(name) }))
    return attempt(async () => {
      const child = await this.#update(root, 0, updates)
      return child === null ? this.#save(EMPTY) : child[0]
    })
  }

  find(root: ContentHash, name: string): Promise<Result<ContentHash | null, BlobProblem>> {
    return attempt(async () => {
      const key = toKey(name)
      let node = await this.#load(root)
      for (let depth = 0; 'branch' in node; depth += 1) {
        const child = node.branch[toDigit(key, depth)]
        if (child == null) return null
        node = await this.#load(child[0])
      }
      return node.leaf.find(([one]) => one === name)?.[1] ?? null
    })
  }

  list(root: ContentHash): Promise<Result<ReadonlyMap<string, ContentHash>, BlobProblem>> {
    return attempt(async () => {
      const entries = await this.#listEntries(await this.#load(root))
      return new Map(entries.toSorted(compareEntries))
    })
  }

  /** In the order of names. What both have in common is not read. */
  compare(
    before: ContentHash,
    after: ContentHash,
  ): Promise<Result<readonly RootDifference[], BlobProblem>> {
    return attempt(async () => {
      const found = await this.#compare(before, after)
      return found.toSorted((a, b) => (a.name < b.name ? -1 : 1))
    })
  }

  async #compare(
    before: ContentHash | null,
    after: ContentHash | null,
  ): Promise<readonly RootDifference[]> {
    if (before === after) return []
    const [one, other] = [
      before === null ? EMPTY : await this.#load(before),
      after === null ? EMPTY : await this.#load(after),
    ]
    if ('branch' in one && 'branch' in other) {
      const found: RootDifference[] = []
      for (const digit of DIGITS.split('').keys()) {
        const [from, to] = [one.branch[digit] ?? null, other.branch[digit] ?? null]
        found.push(...(await this.#compare(from?.[0] ?? null, to?.[0] ?? null)))
      }
      return found
    }
    const was = new Map(await this.#listEntries(one))
    const is = new Map(await this.#listEntries(other))
    return [...new Set([...was.keys(), ...is.keys()])]
      .map((name) => ({ name, before: was.get(name) ?? null, after: is.get(name) ?? null }))
      .filter((difference) => difference.before !== difference.after)
  }

  async #listEntries(node: Node): Promise<readonly Entry[]> {
    if ('leaf' in node) return node.leaf
    const entries: Entry[] = []
    for (const child of node.branch)
      if (child !== null) entries.push(...(await this.#listEntries(await this.#load(child[0]))))
    return entries
  }

  async #update(
    hash: ContentHash | null,
    depth: number,
    updates: readonly Update[],
  ): Promise<Child> {
    const node = hash === null ? EMPTY : await this.#load(hash)
    if ('leaf' in node) {
      const isSame = hash !== null && updates.every((update) => isApplied(node.leaf, update))
      return isSame
        ? toChild(hash, node.leaf.length)
        : this.#divide(applyUpdates(node.leaf, updates), depth)
    }
    const groups = Map.groupBy(updates, ({ key }) => toDigit(key, depth))
    const branch: Child[] = [...node.branch]
    for (const [digit, group] of groups)
      branch[digit] = await this.#update(branch[digit]?.[0] ?? null, depth + 1, group)
    const count = countNames(branch)
    if (hash !== null && branch.every((child, i) => child?.[0] === node.branch[i]?.[0]))
      return toChild(hash, count)
    if (count > LEAF) return [await this.#save({ branch }), count]
    return this.#divide(await this.#listEntries({ branch }), depth)
  }

  /** As the leaf or the branches that so many names make. */
  async #divide(entries: readonly Entry[], depth: number): Promise<Child> {
    if (entries.length === 0) return null
    if (entries.length <= LEAF)
      return [await this.#save({ leaf: entries.toSorted(compareEntries) }), entries.length]
    const groups = Map.groupBy(entries, ([name]) => toDigit(toKey(name), depth))
    const branch: Child[] = []
    for (const digit of DIGITS.split('').keys())
      branch.push(await this.#divide(groups.get(digit) ?? [], depth + 1))
    return [await this.#save({ branch }), entries.length]
  }

  async #save(node: Node): Promise<ContentHash> {
    const hash = await putText(this.#blobs, JSON.stringify(node))
    this.#remember(hash, node)
    return hash
  }

  async #load(hash: ContentHash): Promise<Node> {
    const known = this.#nodes.get(hash)
    if (known !== undefined) return known
    const got = await this.#blobs.get(hash)
    if (!got.ok) throw new NodeUnread(got.error)
    const node = parseNode(new TextDecoder().decode(got.value))
    if (node === null) {
      const detail = `\`${hash}\` is no list of names`
      throw new NodeUnread({ code: 'BLOB_CORRUPT', hash, detail })
    }
    this.#remember(hash, node)
    return node
  }

  #remember(hash: ContentHash, node: Node): void {
    if (this.#nodes.size >= REMEMBERED) this.#nodes.clear()
    this.#nodes.set(hash, node)
  }
}

async function attempt<T>(read: () => Promise<T>): Promise<Result<T, BlobProblem>> {
  try {
    return ok(await read())
  } catch (error) {
    if (error instanceof NodeUnread) return err(error.problem)
    throw error
  }
}

function isApplied(entries: readonly Entry[], { name, hash }: Update): boolean {
  return (entries.find(([one]) => one === name)?.[1] ?? null) === hash
}

function toChild(hash: ContentHash, count: number): Child {
  return count === 0 ? null : [hash, count]
}

function applyUpdates(entries: readonly Entry[], updates: readonly Update[]): readonly Entry[] {
  const names = new Map(entries)
  for (const { name, hash } of updates)
    if (hash === null) names.delete(name)
    else names.set(name, hash)
  return [...names]
}

function countNames(branch: readonly Child[]): number {
  return branch.reduce((sum, child) => sum + (child?.[1] ?? 0), 0)
}

function compareEntries([a]: Entry, [b]: Entry): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function toKey(name: string): string {
  return computeHash('sha256', name, 'hex')
}

function toDigit(key: string, depth: number): number {
  return DIGITS.indexOf(key[depth] ?? '0')
}

/** Null: it is none. */
function parseNode(text: string): Node | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  if (typeof value !== 'object' || value === null) return null
  if ('leaf' in value && Array.isArray(value.leaf))
    return value.leaf.every(isEntry) ? { leaf: value.leaf } : null
  if ('branch' in value && Array.isArray(value.branch) && value.branch.length === DIGITS.length)
    return value.branch.every(isChild) ? { branch: value.branch } : null
  return null
}

function isEntry(value: unknown): value is Entry {
  return Array.isArray(value) && typeof value[0] === 'string' && isContentHash(value[1])
}

function isChild(value: unknown): value is Child {
  if (value === null) return true
  return Array.isArray(value) && isContentHash(value[0]) && Number.isSafeInteger(value[1])
}
