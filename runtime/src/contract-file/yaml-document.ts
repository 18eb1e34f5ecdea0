/**
 * Reads YAML as data and nothing more: YAML 1.2, one document, no tags, anchors, aliases or merge
 * keys. What a contract says must be what a person sees on the line they look at.
 */
import {
  compareDecimal,
  err,
  type JsonValue,
  LIMITS,
  ok,
  parseDecimal,
  type Result,
  toDecimal,
} from 'rubicon-kernel'
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'

export type Path = readonly (string | number)[]
export type Location = { readonly line: number; readonly column: number }
export type YamlProblem = Location & { readonly path: Path; readonly detail: string }

export type YamlDocument = {
  readonly value: JsonValue
  /** Where a member stands; for one that is missing, where its nearest ancestor stands. */
  readonly locate: (path: Path) => Location
}

/** Where the text is YAML, also what it says, with null in place of what was refused: for messages only. */
export type YamlRefusal = {
  readonly problems: readonly YamlProblem[]
  readonly rest: YamlDocument | null
}

export function parseYaml(text: string): Result<YamlDocument, YamlRefusal> {
  const lines = new LineCounter()
  const document = parseDocument(text, {
    version: '1.2',
    schema: 'core',
    merge: false,
    // The library compares each name with all before it; the reader below takes every name once.
    uniqueKeys: false,
    strict: true,
    prettyErrors: false,
    lineCounter: lines,
  })
  const broken = [...document.errors, ...document.warnings].map(({ message, pos }) => ({
    ...toLocation(lines, pos[0]),
    path: [],
    detail: explainSyntax(message),
  }))
  // What follows the first few is read with the wrong indentation, or is no YAML at all.
  if (broken.length > 0) return err({ problems: broken.slice(0, MOST_SYNTAX), rest: null })

  const reader = new YamlReader(lines)
  const value = reader.readDocument(document)
  const read: YamlDocument = { value, locate: (path) => reader.locate(path) }
  return reader.problems.length > 0 ? err({ problems: reader.problems, rest: read }) : ok(read)
}

const MOST_SYNTAX = 3

/** The library names what it cannot nest, and not that a text has a colon in it. */
function explainSyntax(message: string): string {
  return message.startsWith('Nested mappings are not allowed in compact mappings')
    ? 'put text that contains `: ` in quotes; a map begins on a line of its own'
    : lowerFirst(message)
}

/** Where it finds a problem it goes on with null: a document with problems is not used. */
class YamlReader {
  readonly problems: YamlProblem[] = []
  private readonly lines: LineCounter
  private readonly offsets = new Map<string, number>()

  constructor(lines: LineCounter) {
    this.lines = lines
  }

  readDocument(document: Document.Parsed): JsonValue {
    const { directives } = document
    if (directives?.yaml.explicit) this.refuse([], 0, 'a `%YAML` directive is not allowed')
    return this.readValue(document.contents, [])
  }

  locate(path: Path): Location {
    for (let length = path.length; length > 0; length -= 1) {
      const offset = this.offsets.get(serialisePath(path.slice(0, length)))
      if (offset !== undefined) return toLocation(this.lines, offset)
    }
    return { line: 1, column: 1 }
  }

  private readValue(node: Node | null, path: Path): JsonValue {
    if (node === null) return null
    if (isAlias(node)) return this.refuse(path, getOffset(node), 'an alias is not allowed')
    if (node.anchor !== undefined) this.refuse(path, getOffset(node), 'an anchor is not allowed')
    if (node.tag !== undefined) this.refuse(path, getOffset(node), 'a tag is not allowed')
    if (path.length > LIMITS.json.depth) {
      return this.refuse(path, getOffset(node), `is nested deeper than ${LIMITS.json.depth}`)
    }
    if (isMap(node)) return this.map(node, path)
    if (isSeq(node)) return this.list(node, path)
    return isScalar(node) ? this.readScalar(node, path) : null
  }

  private map(map: YAMLMap, path: Path): JsonValue {
    const members: Record<string, JsonValue> = Object.create(null)
    for (const pair of map.items) {
      const name = this.name(pair, path)
      if (name === undefined) continue
      if (name in members)
        this.refuse(path, getOffset(pair.key), `the name \`${name}\` stands twice`)
      const inside = [...path, name]
      this.offsets.set(serialisePath(inside), getOffset(pair.key))
      members[name] = this.readValue(toNode(pair.value), inside)
    }
    return members
  }

  private name({ key }: Pair, path: Path): string | undefined {
    const named = isScalar(key) && typeof key.value === 'string' ? key.value : undefined
    const plain = isScalar(key) && key.anchor === undefined && key.tag === undefined
    if (named === undefined || !plain)
      this.refuse(path, getOffset(key), 'a name must be plain text')
    else if (named === '<<') this.refuse(path, getOffset(key), 'a merge key is not allowed')
    else if (!named.isWellFormed()) this.refuse(path, getOffset(key), HALF_PAIR)
    else return named
    return undefined
  }

  private list(list: YAMLSeq, path: Path): JsonValue {
    return list.items.map((item, index) => {
      const node = toNode(item)
      this.offsets.set(serialisePath([...path, index]), getOffset(node))
      return this.readValue(node, [...path, index])
    })
  }

  private readScalar(scalar: Scalar, path: Path): JsonValue {
    const { value } = scalar
    if (value === null || typeof value === 'boolean') return value
    if (typeof value === 'number') return this.readNumber(value, scalar, path)
    if (typeof value !== 'string') return this.refuse(path, getOffset(scalar), 'is not plain data')
    return value.isWellFormed() ? value : this.refuse(path, getOffset(scalar), HALF_PAIR)
  }

  /**
   * A number as it is written. Where a double cannot hold it the digits go on as text: an amount
   * must not change on the way in.
   */
  private readNumber(value: number, scalar: Scalar, path: Path): JsonValue {
    const written = scalar.source ?? ''
    const exact = parseDecimal(written)
    if (exact === undefined) {
      const detail = `\`${written}\` is not a number in plain decimal digits`
      return this.refuse(path, getOffset(scalar), detail)
    }
    const held = toDecimal(value)
    return held !== undefined && compareDecimal(held, exact) === 0 ? value : written
  }

  private refuse(path: Path, offset: number, detail: string): null {
    this.problems.push({ ...toLocation(this.lines, offset), path, detail })
    return null
  }
}

const HALF_PAIR = 'half a surrogate pair is not text'

function toNode(value: unknown): Node | null {
  return isMap(value) || isSeq(value) || isScalar(value) || isAlias(value) ? value : null
}

function getOffset(node: unknown): number {
  return toNode(node)?.range?.[0] ?? 0
}

function toLocation(lines: LineCounter, offset: number): Location {
  const { line, col } = lines.linePos(offset)
  return { line: Math.max(1, line), column: Math.max(1, col) }
}

function serialisePath(path: Path): string {
  return JSON.stringify(path)
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
