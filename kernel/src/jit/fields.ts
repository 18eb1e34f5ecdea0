import { checkJson } from '../canonical/check-json.ts'
import { isObject, type JsonObject, type JsonValue } from '../canonical/json-value.ts'
import type { CapabilityLaw } from '../execution/capability.ts'
import type { FieldKind, JitField } from './envelope.ts'

const KINDS = ['balance', 'position', 'telemetry'] as const satisfies readonly FieldKind[]

/**
 * The values that a capability wants unmoved, by names that its description has. Undefined where it
 * cannot say, or says what it did not declare: capabilities
 * are other people's code, and a field that is left out would be a value that nobody watches.
 */
export function resolveJitFields(
  law: CapabilityLaw,
  params: JsonObject,
): Readonly<Record<string, JitField>> | undefined {
  const said = attempt(law, params)
  if (!isObject(said)) return undefined
  const { jit_fields = [] } = law.description
  const fields: Record<string, JitField> = Object.create(null)
  for (const [name, value] of Object.entries(said)) {
    const field = readField(value)
    if (field === undefined || !jit_fields.includes(name)) return undefined
    fields[name] = field
  }
  return fields
}

function attempt(law: CapabilityLaw, params: JsonObject): JsonValue | undefined {
  try {
    const checked = checkJson(law.jit(params))
    return checked.ok ? checked.value : undefined
  } catch {
    return undefined
  }
}

function readField(value: JsonValue): JitField | undefined {
  if (!isObject(value)) return undefined
  const { path } = value
  const kind = KINDS.find((one) => one === value.kind)
  return typeof path === 'string' && kind !== undefined ? { path, kind } : undefined
}
