/** How a store is named: `sqlite:PATH`, `postgres://user:password@host:port/database`, `memory`. */

export function isPostgresAddress(address: string): boolean {
  return address.startsWith('postgres://') || address.startsWith('postgresql://')
}

/** Also one among the options, as drivers read it. */
export function hasPassword(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { password, searchParams } = new URL(address)
  return password !== '' || searchParams.has('password')
}

/** For people and logs: without a password, and without options, which may hold one. */
export function redactAddress(address: string): string {
  const start = address.indexOf('://') + 3
  if (start < 3) return address
  const [place = ''] = address.split('?', 1)
  const at = place.lastIndexOf('@')
  if (at < start) return place
  const [user] = place.slice(start, at).split(':', 1)
  return `${place.slice(0, start)}${user}${place.slice(at)}`
}
