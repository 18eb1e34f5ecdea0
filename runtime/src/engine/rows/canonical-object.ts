import { assert } from 'rubicon-kernel'

/**
 * The canonical text of an object whose members are already canonical text. A decision's facts,
 * proposal and trace are hashed and stored; this way they are written only once. Names are our own:
 * lower-case ASCII, so that they need no escaping and sort as they compare.
 */
export function composeCanonicalObject(
  members: Readonly<Record<string, string | undefined>>,
): string {
  const names = Object.keys(members)
  if (!isSorted(names)) names.sort()
  let text = ''
  for (const name of names) {
    const member = members[name]
    if (member !== undefined) text += `${text === '' ? '{' : ','}"${name}":${member}`
  }
  assert(text !== '', 'an object in the ledger has members')
  return `${text}}`
}

function isSorted(names: readonly string[]): boolean {
  for (let i = 1; i < names.length; i++) if ((names[i - 1] ?? '') >= (names[i] ?? '')) return false
  return true
}
