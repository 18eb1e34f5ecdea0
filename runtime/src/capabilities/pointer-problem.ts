import type { Failure } from 'rubicon-kernel'
import { convertDottedName, parsePointer } from 'rubicon-kernel'
import type { Capability } from '../ports/capability.ts'
import { hasSchemaPlace } from './schema-places.ts'

/** Why a scope or a sink of a capability would never be checked, or null. */
export function findPointerProblem({ kind, params, scopes, sinks }: Capability): Failure | null {
  const scoped = Object.entries(scopes ?? {}).map(
    ([set, at]) => [`the scope \`${set}\``, at] as const,
  )
  const sunk = Object.keys(sinks ?? {}).map((at) => ['a sink', at] as const)
  for (const [what, text] of [...scoped, ...sunk]) {
    const pointer = parsePointer(text)
    if (pointer === undefined)
      return {
        code: 'CAPABILITY_INVALID',
        summary: `${what} of \`${kind}\` is at \`${text}\`, which is not a JSON pointer`,
        fix: `write \`${text.startsWith('/') ? '/order/account' : convertDottedName(text)}\`; \`*\` stands for each element of an array`,
      }
    if (!hasSchemaPlace(params, pointer))
      return {
        code: 'CAPABILITY_INVALID',
        summary: `${what} of \`${kind}\` is at \`${text}\`, which its parameters cannot have`,
        why: 'what no call can have would never be checked',
        fix: 'name a member that stands in the schema `params`, as in `scopes: {instruments: "/instrument"}`: the resource set first, then the pointer to the parameter',
      }
  }
  return null
}
