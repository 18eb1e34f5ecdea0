/** The edits by the `Document` of yaml, which keeps comments and writes the rest anew. */
import { parseDocument } from 'yaml'
import { serveEdits } from './serve.ts'

await serveEdits(({ text }, { op, keys, value }) => {
  const document = parseDocument(text)
  if (document.errors.length > 0) throw new Error('it does not parse')
  if (op === 'remove') document.deleteIn(keys)
  else document.setIn(keys, value)
  return document.toString({ lineWidth: 0 })
})
