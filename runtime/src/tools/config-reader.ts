/** Reads members of a document one by one and remembers everything that is wrong, each with its place. */
import { isObject, type JsonObject, type JsonValue, LIMITS } from 'rubicon-kernel'

export type ConfigPath = readonly (string | number)[]
export type ConfigProblem = { readonly path: ConfigPath; readonly detail: string }

export class ConfigReader {
  readonly problems: ConfigProblem[] = []

  refuse(path: ConfigPath, detail: string): void {
    this.problems.push({ path, detail })
  }

  /** An object with these members and no others; an empty one in place of what is none. */
  readObject(
    value: JsonValue | undefined,
    path: ConfigPath,
    members: readonly string[],
  ): JsonObject {
    if (value === undefined) return {}
    if (!isObject(value)) {
      this.refuse(path, 'is no object')
      return {}
    }
    for (const name of Object.keys(value))
      if (!members.includes(name))
        this.refuse([...path, name], `is not known: use ${members.join(', ')}`)
    return value
  }

  readEntries(
    value: JsonValue | undefined,
    path: ConfigPath,
  ): readonly (readonly [string, JsonValue])[] {
    if (value === undefined) return []
    if (isObject(value)) return this.#limitEntries(Object.entries(value), path)
    this.refuse(path, 'is no object')
    return []
  }

  readList(value: JsonValue | undefined, path: ConfigPath): readonly JsonValue[] {
    if (value === undefined) return []
    if (Array.isArray(value)) return this.#limitEntries(value, path)
    this.refuse(path, 'is no list')
    return []
  }

  readTexts(value: JsonValue | undefined, path: ConfigPath): readonly string[] {
    return this.readList(value, path).map((item, index) => this.readText(item, [...path, index]))
  }

  readText(value: JsonValue | undefined, path: ConfigPath): string {
    if (typeof value === 'string' && value !== '' && !value.includes('\0')) return value
    this.refuse(path, value === undefined ? 'is missing' : 'is no text')
    return ''
  }

  readChoice<T extends string>(
    value: JsonValue | undefined,
    path: ConfigPath,
    choices: readonly T[],
  ): T | undefined {
    const found = choices.find((choice) => choice === value)
    if (found === undefined) this.refuse(path, `is none of ${choices.join(', ')}`)
    return found
  }

  #limitEntries<T>(items: readonly T[], path: ConfigPath): readonly T[] {
    if (items.length <= LIMITS.toolAllowances) return items
    this.refuse(path, `has more than ${LIMITS.toolAllowances} entries`)
    return []
  }
}
