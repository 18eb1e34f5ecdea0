import type { JsonValue } from 'rubicon-kernel'
import { stringify } from 'yaml'

/** JSON as YAML that people edit, below a comment. It is read back as the same JSON. */
export function formatYaml(document: JsonValue, comment: string): string {
  const head = comment.split('\n').map((line) => `# ${line}\n`)
  const text = stringify(document, { aliasDuplicateObjects: false, lineWidth: 0, version: '1.2' })
  return `${head.join('')}${text}`
}
