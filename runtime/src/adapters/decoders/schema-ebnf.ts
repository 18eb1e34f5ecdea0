/**
 * A schema of a grammar as EBNF: one line of JSON without spaces, members in the order of the schema.
 *
 * It is written here because the library's own reading of schemas (0.1.27) lets through what they do not: ranges of
 * numbers have holes and go beyond their ends, texts with a length may hold control characters, lengths beside a pattern
 * are passed over, and an expression that it does not know ends the process that loaded it.
 */
import {
  describeDecimalRange,
  isObject,
  type JsonObject,
  type JsonValue,
  toDecimal,
} from 'rubicon-kernel'
import { ANY_CHARACTER, formatClass } from './character-class.ts'
import { EbnfRules } from './ebnf-rules.ts'
import { formatPattern } from './pattern-ebnf.ts'

/** Throws where the schema says what no grammar says. */
export function formatSchema(schema: JsonObject): string {
  const writer = new SchemaWriter()
  const root = writer.write(schema)
  return [`root ::= ${root}`, ...writer.rules.list()].join('\n')
}

/** Numbers with a fraction are written with so many digits behind the point. */
const SCALE = 2

class SchemaWriter {
  readonly rules = new EbnfRules()

  write(schema: JsonValue | undefined): string {
    if (!isObject(schema)) throw new Error('a part of the schema says nothing')
    if (Array.isArray(schema.enum)) return joinChoices(schema.enum.map(formatValue))
    if (Array.isArray(schema.anyOf))
      return joinChoices(schema.anyOf.map((part: JsonValue) => this.write(part)))
    switch (schema.type) {
      case 'object':
        return this.#writeObject(schema)
      case 'array':
        return this.#writeList(schema)
      case 'string':
        return this.#writeText(schema)
      case 'integer':
        return this.#writeRange(schema, 0)
      case 'number':
        return this.#writeRange(schema, SCALE)
      default:
        throw new Error(`a schema of type ${JSON.stringify(schema.type ?? null)}`)
    }
  }

  /** The quote at its end belongs to the run, so that a token that ends the text is known to. */
  #writeText({ pattern, minLength = 0, maxLength }: JsonObject): string {
    if (typeof pattern === 'string') return `"\\"" ${formatPattern(pattern, this.rules)} "\\""`
    if (typeof maxLength !== 'number') throw new Error('a text without end')
    const one = formatClass(ANY_CHARACTER)
    return `"\\"" ${this.rules.addRun(one, Number(minLength), maxLength, '"\\""')}`
  }

  #writeRange({ minimum, maximum }: JsonObject, scale: number): string {
    const min = toDecimal(minimum ?? -Number.MAX_SAFE_INTEGER)
    const max = toDecimal(maximum ?? Number.MAX_SAFE_INTEGER)
    const pattern = min && max ? describeDecimalRange(min, max, scale) : undefined
    if (pattern === undefined) throw new Error('a range without a number')
    return formatPattern(pattern, this.rules)
  }

  #writeList({ items, minItems, maxItems }: JsonObject): string {
    const [least, most] = [Number(minItems), Number(maxItems)]
    if (!Number.isSafeInteger(least) || !Number.isSafeInteger(most))
      throw new Error('a list without end')
    if (most === 0) return '"[]"'
    const item = this.rules.add(this.write(items))
    const more = most === 1 ? '' : ` ("," ${item}){${Math.max(0, least - 1)},${most - 1}}`
    const some = `"[" ${item}${more} "]"`
    return least === 0 ? `("[]" | ${some})` : `(${some})`
  }

  /** From the last member on: what follows once something was written, and what follows while nothing was. */
  #writeObject({ properties, required }: JsonObject): string {
    const must: readonly JsonValue[] = Array.isArray(required) ? required : []
    let after = '""'
    let first = '""'
    for (const [name, part] of Object.entries(isObject(properties) ? properties : {}).reverse()) {
      const member = this.rules.add(`${quote(`${JSON.stringify(name)}:`)} ${this.write(part)}`)
      const begun = `${member} ${after}`
      const isRequired = must.includes(name)
      const [next, start] = [`"," ${begun}`, `${begun}`]
      first = this.rules.add(isRequired ? start : joinChoices([start, first]))
      after = this.rules.add(isRequired ? next : joinChoices([next, after]))
    }
    return `"{" ${first} "}"`
  }
}

function formatValue(value: JsonValue): string {
  return quote(JSON.stringify(value))
}

function joinChoices(choices: readonly string[]): string {
  return choices.length === 1 ? (choices[0] ?? '""') : `(${choices.join(' | ')})`
}

/** JSON as a literal of EBNF; beyond ASCII as JSON escapes it. */
function quote(json: string): string {
  const ascii = json.replaceAll(/[^ -~]/g, (one) => {
    return `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
  const written = [...ascii].map((one) => (one === '"' || one === '\\' ? `\\${one}` : one))
  return `"${written.join('')}"`
}
