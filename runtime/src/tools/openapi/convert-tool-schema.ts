import { err, isObject, type JsonObject, ok, type Result } from 'rubicon-kernel'
import { SchemaConverter, type SchemaUse } from './convert-schema.ts'
import { RefusedOperation } from './refused-operation.ts'

/**
 * A schema of a tool as somebody else wrote it, without references; of what is sent, closed. Err: why it is not
 * understood; a keyword that is passed over might be the rule that mattered.
 */
export function convertToolSchema(
  schema: JsonObject,
  use: SchemaUse = { closed: true },
): Result<JsonObject, string> {
  const { $defs: _, definitions: __, ...root } = schema
  try {
    const converted = new SchemaConverter(schema).convert(root, use)
    if (!isObject(converted) || converted.type !== 'object') return err('it describes no object')
    if (!use.closed) return ok(converted)
    if (Object.hasOwn(converted, 'patternProperties'))
      return err('it gives its arguments no names, but patterns of names')
    // Also where the schema lets arguments of other names pass: no limit of a contract could name them.
    return ok({ properties: {}, ...converted, additionalProperties: false })
  } catch (cause) {
    if (cause instanceof RefusedOperation) return err(cause.message)
    throw cause
  }
}
