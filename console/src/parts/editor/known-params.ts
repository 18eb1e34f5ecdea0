import type { KnownParam } from './suggestion.ts'

const DEEPEST = 4
const MOST = 200

/** The members of parameters, from a JSON schema that somebody else wrote: anything may stand in it. */
export function listKnownParams(schema: unknown): readonly KnownParam[] {
  const found: KnownParam[] = []
  collect(schema, [], found)
  return found
}

function collect(schema: unknown, path: readonly string[], found: KnownParam[]): void {
  if (path.length >= DEEPEST || !isRecord(schema) || !isRecord(schema.properties)) return
  for (const [name, member] of Object.entries(schema.properties)) {
    if (found.length >= MOST) return
    const inside = [...path, name]
    found.push({ path: inside, type: formatType(member) })
    collect(member, inside, found)
  }
}

function formatType(member: unknown): string {
  return isRecord(member) && typeof member.type === 'string' ? member.type : ''
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
