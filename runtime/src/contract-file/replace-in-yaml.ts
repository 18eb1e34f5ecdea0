import type { JsonValue } from 'rubicon-kernel'
import { parseDocument } from 'yaml'

export type YamlEdit = {
  readonly path: readonly (string | number)[]
  readonly value: JsonValue
}

/** The text of a YAML document with other values in some places; what else it says, and its comments, stay. */
export function replaceInYaml(text: string, edits: readonly YamlEdit[]): string {
  const document = parseDocument(text, { version: '1.2', schema: 'core', merge: false })
  for (const { path, value } of edits) document.setIn(path, document.createNode(value))
  return document.toString({ lineWidth: 0 })
}
