/**
 * The version of policy proposals that this runtime speaks, and which others it understands.
 *
 * Within a major version members are only added: an older speaker is understood, a newer one may
 * mean something by a member that nobody here reads.
 */
const MAJOR = 1
const MINOR = 5
const PATCH = 0

export const POLICY_SCHEMA_VERSION: string = `${MAJOR}.${MINOR}.${PATCH}`

/** `1`, `1.2` or `1.2.3`. A missing part is 0; a patch changes nothing that is said. */
export function isVersionAccepted(theirs: string): boolean {
  const parts = theirs.split('.')
  if (parts.length > 3 || !parts.every(isPart)) return false
  const [major, minor = '0'] = parts
  return Number(major) === MAJOR && Number(minor) <= MINOR
}

const LONGEST = 4

/** Digits without a superfluous zero: one version has one spelling. */
function isPart(part: string): boolean {
  if (part.length === 0 || part.length > LONGEST) return false
  if (part.length > 1 && part.startsWith('0')) return false
  return [...part].every((digit) => digit >= '0' && digit <= '9')
}
