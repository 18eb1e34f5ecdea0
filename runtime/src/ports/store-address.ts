/**
 * How a store is named: `sqlite:PATH`, `postgres://user:password@host:port/database`, `memory`; `memory:NUMBER` is one that this
 * process keeps.
 */

export function isPostgresAddress(address: string): boolean {
  return address.startsWith('postgres://') || address.startsWith('postgresql://')
}

/** Nobody outside of the process reaches it. */
export function isMemoryAddress(address: string): boolean {
  return address === 'memory' || address.startsWith('memory:')
}

/** Also one among the options, as drivers read it. */
export function hasPassword(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { password, searchParams } = new URL(address)
  return password !== '' || searchParams.has('password')
}

/** As it is sent; empty where the address has none. */
export function findPassword(address: string): string {
  if (!URL.canParse(address)) return ''
  const { password, searchParams } = new URL(address)
  const given = searchParams.get('password')
  if (given !== null) return given
  try {
    return decodeURIComponent(password)
  } catch {
    return password
  }
}

/** What is before the user in an address of a server, also where its slashes were forgotten; a path of SQLite is none. */
const BEFORE_USER = /^.*?:\/\/|^(?:--[a-z-]+=)?(?!sqlite:)[a-z][a-z0-9+.-]+:\/?/i

/** For people and logs: without a password, and without options, which may hold one. */
export function redactAddress(address: string): string {
  const start = BEFORE_USER.exec(address)?.[0].length
  if (start === undefined) return address
  const [place = ''] = address.split('?', 1)
  const at = place.lastIndexOf('@')
  if (at < start) return place
  const [user] = place.slice(start, at).split(':', 1)
  return `${place.slice(0, start)}${user}${place.slice(at)}`
}
