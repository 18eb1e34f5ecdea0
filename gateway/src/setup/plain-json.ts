/**
 * JSON as editors write it, with comments and commas at the end, as plain JSON. What stands in texts is not touched.
 * Clients keep their settings so; our own documents are stricter.
 */
export function toPlainJson(text: string): string {
  return removeLastCommas(removeComments(text))
}

const PARTS = /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g
const COMMAS = /"(?:[^"\\\n]|\\.)*"|,(?=\s*[}\]])/g

function removeComments(text: string): string {
  return text.replaceAll(PARTS, (part) => (part.startsWith('"') ? part : ' '))
}

function removeLastCommas(text: string): string {
  return text.replaceAll(COMMAS, (part) => (part.startsWith('"') ? part : ''))
}
