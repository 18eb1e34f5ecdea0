import { assert, canonicalText } from 'rubicon-kernel'

/**
 * The canonical text of an object whose members are already canonical text. A decision's facts,
 * proposal and trace are hashed and stored; this way they are written only once.
 */
export function canonicalObject(members: Readonly<Record<string, string | undefined>>): string {
  const parts: string[] = []
  for (const name of Object.keys(members).sort()) {
    const text = members[name]
    if (text !== undefined) parts.push(`${canonicalText(name)}:${text}`)
  }
  assert(parts.length > 0, 'an object in the ledger has members')
  return `{${parts.join(',')}}`
}
