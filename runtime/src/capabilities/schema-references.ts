/** The schemas in a schema, by the addresses that `$ref` gives them. */
import { isObject, type JsonObject, type JsonValue } from 'rubicon-kernel'
import { LISTS, MAPS, ONE } from './judged-schema.ts'

/** Where no `$id` says otherwise. */
const BASE = 'schema:///'
/** The schema of schemas, which the evaluator knows. */
const META = 'https://json-schema.org/draft/2020-12/'

export class SchemaReferences {
  readonly #addressed = new Map<string, JsonObject>()
  /** What a `$ref` in it leads to. */
  readonly #targets = new Map<JsonObject, string>()

  constructor(root: JsonObject) {
    this.#collect(root, BASE, [`${BASE}#`])
  }

  /** Schemas that it holds. */
  get size(): number {
    return this.#targets.size
  }

  /** What the `$ref` of a schema leads to; undefined: outside. */
  resolveReference(schema: JsonObject): JsonObject | undefined {
    return this.#addressed.get(this.#targets.get(schema) ?? '')
  }

  /** A `$ref` to where no schema is: into data, as `default`, or to somewhere else. */
  findLostReference(): string | undefined {
    for (const [schema, target] of this.#targets)
      if (target !== '' && !target.startsWith(META) && !this.#addressed.has(target))
        return String(schema.$ref)
    return undefined
  }

  /** Each stands under its pointer, from every `$id` above it. */
  #collect(value: JsonValue | undefined, base: string, above: readonly string[]): void {
    if (!isObject(value)) return
    const { $id, $anchor, $ref } = value
    const own = typeof $id === 'string' ? resolveUrl($id, base) : undefined
    const at = own?.split('#')[0] ?? base
    const addresses = own === undefined ? above : [...above, `${at}#`]
    for (const address of addresses) this.#addressed.set(address, value)
    if (typeof $anchor === 'string') this.#addressed.set(`${at}#${$anchor}`, value)
    this.#targets.set(value, typeof $ref === 'string' ? (resolveUrl($ref, at) ?? $ref) : '')
    const listAddressesUnder = (name: string): readonly string[] =>
      addresses.map((one) => `${one}/${name}`)
    for (const name of ONE) this.#collect(value[name], at, listAddressesUnder(name))
    for (const name of [...LISTS, ...MAPS]) {
      const parts = value[name]
      if (typeof parts !== 'object' || parts === null) continue
      for (const [key, part] of Object.entries(parts))
        this.#collect(part, at, listAddressesUnder(`${name}/${escapeToken(key)}`))
    }
  }
}

function escapeToken(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** With its fragment decoded: a pointer may be written with or without escapes of its characters. */
function resolveUrl(ref: string, base: string): string | undefined {
  try {
    const url = new URL(ref, base)
    const fragment = decodeURIComponent(url.hash.slice(1))
    url.hash = ''
    return `${url.href}#${fragment}`
  } catch {
    return undefined
  }
}
