/** What an address is not asked by. `HEAD` and `OPTIONS` are among it: nothing needs them here. */
import type { Route } from './route.ts'

export type OtherMethods = {
  readonly path: string
  readonly methods: readonly ('GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'HEAD' | 'OPTIONS')[]
  /** For the header: what it is asked by. */
  readonly allow: string
}

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'] as const

export function otherMethods(routes: readonly Route[]): readonly OtherMethods[] {
  const known = Map.groupBy(routes, ({ path }) => path)
  return [...known].map(([path, here]) => {
    const allowed: readonly string[] = here.map(({ method }) => method)
    const methods = METHODS.filter((method) => !allowed.includes(method))
    return { path, methods, allow: allowed.join(', ') }
  })
}
