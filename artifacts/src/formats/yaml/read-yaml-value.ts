/** YAML as a value: aliases stand for what they name, and a merge for the keys that it brings. */
import { err, isObject, type JsonValue, ok, type Result } from 'rubicon-kernel'
import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Node,
  visit,
} from 'yaml'
import { ARTIFACT_LIMITS } from '../../limits.ts'
import type { ParseProblem } from '../../tree/parsed.ts'
import { nameYamlKey } from './name-key.ts'

/** Values that aliases stand for: a few lines of aliases of aliases come to more than a memory holds. */
const MOST_ALIASED = 100_000
const MERGE = '<<'

export function readYamlValue(text: string, document: Document): Result<JsonValue, ParseProblem> {
  const reader = new YamlReader(text, document)
  try {
    return ok(reader.read(document.contents as Node | null, 0))
  } catch (error) {
    if (error instanceof YamlValueProblem) return err({ detail: error.message, at: null })
    throw error
  }
}

class YamlValueProblem extends Error {}

class YamlReader {
  readonly #text: string
  readonly #anchors: ReadonlyMap<string, readonly Node[]>
  /** Aliases around the present value, and values that were read within one. */
  #aliases = 0
  #count = 0

  constructor(text: string, document: Document) {
    this.#text = text
    this.#anchors = listAnchors(document)
  }

  read(node: Node | null, depth: number): JsonValue {
    if (this.#aliases > 0) this.#count += 1
    if (depth > ARTIFACT_LIMITS.depth || this.#count > MOST_ALIASED)
      throw new YamlValueProblem('its aliases come to too much')
    if (isAlias(node)) return this.#readAlias(node, depth)
    if (isSeq(node)) return node.items.map((item) => this.read(item as Node, depth + 1))
    if (isMap(node)) return this.#readMap(node.items, depth)
    return isScalar(node) ? toPlain(node.value) : null
  }

  #readAlias(alias: Alias, depth: number): JsonValue {
    this.#aliases += 1
    const value = this.read(this.#resolve(alias), depth + 1)
    this.#aliases -= 1
    return value
  }

  /** An anchor may be set again: the last one before the alias counts. */
  #resolve({ source, range }: Alias): Node {
    const place = range?.[0] ?? 0
    const found = this.#anchors.get(source)?.findLast((node) => (node.range?.[0] ?? 0) < place)
    if (found === undefined) throw new YamlValueProblem(`nothing is called \`${source}\``)
    return found
  }

  #readMap(pairs: readonly unknown[], depth: number): JsonValue {
    const own: Record<string, JsonValue> = Object.create(null)
    const merged: Record<string, JsonValue> = Object.create(null)
    for (const pair of pairs) {
      if (!isPair(pair)) throw new YamlValueProblem('a member of a map is no key')
      const name = nameYamlKey(this.#text, pair.key as Node)
      const value = this.read(pair.value as Node | null, depth + 1)
      if (name === MERGE) mergeInto(merged, value)
      else if (name in own) throw new YamlValueProblem(`the key \`${name}\` is there twice`)
      else own[name] = value
    }
    return Object.assign(Object.create(null), merged, own)
  }
}

/** In the order of the text. */
function listAnchors(document: Document): ReadonlyMap<string, readonly Node[]> {
  const found = new Map<string, Node[]>()
  visit(document, {
    Node: (_, node) => {
      if (isAlias(node) || node.anchor === undefined) return
      found.set(node.anchor, [...(found.get(node.anchor) ?? []), node])
    },
  })
  return found
}

/** What comes first counts. */
function mergeInto(merged: Record<string, JsonValue>, value: JsonValue): void {
  const sources: readonly JsonValue[] = Array.isArray(value) ? value : [value]
  for (const source of sources) {
    if (!isObject(source)) throw new YamlValueProblem('only maps can be merged')
    for (const [name, member] of Object.entries(source))
      if (!(name in merged)) merged[name] = member
  }
}

function toPlain(value: unknown): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw new YamlValueProblem(`\`${String(value)}\` is no value of JSON`)
}
