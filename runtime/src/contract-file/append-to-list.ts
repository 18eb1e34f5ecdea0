import { isSeq, parseDocument } from 'yaml'

/** The text of a YAML document with one more item in a list of its own; what else it says, and its comments, stay. */
export function appendToList(text: string, member: string, item: string): string {
  const document = parseDocument(text, { version: '1.2', schema: 'core', merge: false })
  if (isSeq(document.get(member))) document.addIn([member], item)
  else document.set(member, [item])
  return document.toString({ lineWidth: 0 })
}
