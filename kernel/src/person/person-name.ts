/**
 * Names that people cannot have. The ledger and the API tell by these beginnings who speaks: a person
 * who was called `agent:x` would be read as that agent, and a login through a provider as a name that
 * somebody chose.
 */
import { toCodePoint } from '../context/code-point.ts'
import { isDeceiving } from '../context/deceiving.ts'
import { foldAscii } from '../context/words.ts'
import { LIMITS } from '../limits.ts'

/** What the names of others begin with: agents, logins through a provider, sources, ids of persons. */
export const RESERVED_PREFIXES = [
  'agent:',
  'oidc:',
  'source:',
  'runtime:',
  'kernel:',
  'p_',
] as const

/** What the runtime calls itself. */
export const RESERVED_NAMES = ['runtime', 'kernel'] as const

/** Why nobody can be called so; undefined: somebody can. */
export function findPersonNameProblem(name: string): string | undefined {
  const folded = foldAscii(name.trim())
  if (folded === '') return 'is empty'
  if (name.length > LIMITS.personNameLength) return 'is too long'
  if ([...name].some(isUnseen)) return 'has a character that nobody sees'
  const prefix = RESERVED_PREFIXES.find((reserved) => folded.startsWith(reserved))
  if (prefix !== undefined) return `begins with \`${prefix}\`, as names of people do not`
  const taken = RESERVED_NAMES.find((reserved) => folded === reserved)
  return taken === undefined ? undefined : `is \`${taken}\`, which is no person`
}

/** Two names that differ in it look like one. */
function isUnseen(character: string): boolean {
  const code = toCodePoint(character)
  return code < FIRST_SEEN || isDeceiving(code)
}

const FIRST_SEEN = 0x20

/** Neither capitals nor spaces around it make another name. For what a person typed; who somebody is, ids say. */
export function isSameName(a: string, b: string): boolean {
  return foldAscii(a.trim()) === foldAscii(b.trim())
}
