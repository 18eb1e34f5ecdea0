/**
 * What of a documentation comment names something: `@param a`, types in braces, `{@link a}`, `@see a`. Editors count these among the
 * places of a name, so a rename that left them would leave a comment about something that is not there.
 */
import type { Span } from '../../../text/span.ts'

export type DocName = Span & {
  /** `parameter`: of the function that the comment is about. `link`: of anything. `type`: a type, as it is written in braces. */
  readonly kind: 'parameter' | 'link' | 'type' | 'template' | 'typedef'
}

const PARAMETER_TAGS: ReadonlySet<string> = new Set(['param', 'arg', 'argument'])
/** With what is named first left to somebody else: a property is no name of a scope. */
const PROPERTY_TAGS: ReadonlySet<string> = new Set(['property', 'prop'])
/** Braces, or the type without them. */
const OPEN_TYPE_TAGS: ReadonlySet<string> = new Set([
  'type',
  'this',
  'enum',
  'extends',
  'augments',
  'implements',
])
const TYPE_TAGS: ReadonlySet<string> = new Set([
  'returns',
  'return',
  'throws',
  'exception',
  'satisfies',
  'typedef',
  'template',
])
const DECLARING_TAGS: Readonly<Record<string, 'template' | 'typedef'>> = {
  template: 'template',
  typedef: 'typedef',
  callback: 'typedef',
}

const WORD = /[\p{ID_Start}$_][\p{ID_Continue}$]*/uy
const LINK = /\{@link(?:code|plain)?[ \t]*(?:\r?\n[ \t]*\*?[ \t]*)?/uy
const OBJECT = /^\s*[Oo]bject(?:\[\])*\s*$/u
const BLANK = /(?:[ \t]|\r?\n[ \t]*\*?(?!\/))*/uy

/** `end` is behind the last character of the comment. */
export function readDocComment(text: string, { start, end }: Span): readonly DocName[] {
  return new DocReader(text, start + 3, end - 2).read()
}

class DocReader {
  readonly #text: string
  readonly #end: number
  readonly #found: DocName[] = []
  #at: number
  /** The parameter that the tag before is about, where it is an object. */
  #object: string | null = null

  constructor(text: string, start: number, end: number) {
    this.#text = text
    this.#at = start
    this.#end = end
  }

  read(): readonly DocName[] {
    let isQuoted = false
    while (this.#at < this.#end) {
      const character = this.#text[this.#at]
      if (character === '\n') isQuoted = false
      if (character === '`') isQuoted = !isQuoted
      if (character === '@' && !isQuoted && this.#isTagStart()) this.#readTag()
      else if (character === '{' && this.#readLink()) continue
      else this.#at += 1
    }
    return this.#found.filter((name) => name.end <= this.#end)
  }

  #isTagStart(): boolean {
    const before = this.#text[this.#at - 1] ?? ' '
    return /[\s*]/u.test(before) && /\S/u.test(this.#text[this.#at + 1] ?? ' ')
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0] ?? null
    if (found !== null) this.#at += found.length
    return found
  }

  #readLink(): boolean {
    if (this.#match(LINK) === null) return false
    this.#readName('link')
    return true
  }

  #readTag(): void {
    this.#at += 1
    const tag = this.#match(WORD) ?? ''
    const isParameter = PARAMETER_TAGS.has(tag)
    const isOpen = OPEN_TYPE_TAGS.has(tag)
    const declaring = DECLARING_TAGS[tag]
    const hasType = isParameter || isOpen || PROPERTY_TAGS.has(tag) || TYPE_TAGS.has(tag)
    if (!hasType && declaring === undefined && tag !== 'see') return
    this.#match(BLANK)
    const type = hasType ? this.#readType() : null
    const isTyped = type !== null
    if (isOpen && !isTyped) this.#readName('type')
    if (tag === 'see') {
      this.#match(/\{(?!@)/uy)
      this.#readName('link')
    }
    if (isParameter) {
      this.#match(BLANK)
      this.#match(/\[?[ \t]*`?/uy)
      this.#readParameter(type ?? '')
      this.#match(BLANK)
      // Behind the name, too, but a link there is one.
      if (!isTyped && !this.#text.startsWith('{@link', this.#at)) this.#readType()
    } else this.#object = null
    if (declaring !== undefined) this.#readDeclared(declaring)
  }

  /** What is behind a dot counts where the tag before it says that this is an object: then it says more about the same parameter. */
  #readParameter(type: string): void {
    const start = this.#at
    this.#readName('parameter')
    const name = this.#text.slice(start, this.#at)
    // Dots that no name follows, as in `a...`, are read as a part without a name.
    const isPart = name.includes('.') || this.#text[this.#at] === '.'
    if (isPart && (this.#object === null || !name.startsWith(`${this.#object}.`))) this.#found.pop()
    if (!isPart) this.#object = OBJECT.test(type) ? name : null
  }

  #readDeclared(kind: 'template' | 'typedef'): void {
    do {
      this.#match(BLANK)
      this.#match(/\[?[ \t]*/uy)
      this.#readName(kind)
      this.#match(/[ \t]*\]?[ \t]*/uy)
    } while (kind === 'template' && this.#match(/,/uy) !== null)
  }

  /** A name with dots: all of it, for whoever reads what is behind them. */
  #readName(kind: DocName['kind']): void {
    const start = this.#at
    if (this.#match(WORD) === null) return
    while (this.#match(/[.#](?=[\p{ID_Start}$_])/uy) !== null) this.#match(WORD)
    this.#found.push({ start, end: this.#at, kind })
  }

  #readType(): string | null {
    if (this.#text[this.#at] !== '{') return null
    const start = this.#at + 1
    for (let depth = 0; this.#at < this.#end; this.#at += 1) {
      if (this.#text[this.#at] === '{') depth += 1
      if (this.#text[this.#at] === '}') depth -= 1
      if (depth === 0) {
        this.#found.push({ start, end: this.#at, kind: 'type' })
        this.#at += 1
        return this.#text.slice(start, this.#at - 1)
      }
    }
    return null
  }
}
