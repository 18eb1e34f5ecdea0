import { err, type JsonObject, type Result, shorten } from 'rubicon-kernel'
import type { Redaction } from 'rubicon-runtime/tools'
import { showHiddenCharacters } from '../definition/hidden-characters.ts'
import { parseDefinition, type ToolDefinition } from '../definition/tool-definition.ts'
import { hasSecret } from './has-secret.ts'

/** What is agreed to is kept in a file, and shown to models: a secret of the server must not get there. */
export function readDefinition(
  said: JsonObject | undefined,
  redaction: Redaction,
): Result<ToolDefinition, string> {
  if (said === undefined) return err('cannot be written down')
  const isClean = !hasSecret(said, redaction)
  return isClean ? parseDefinition(said) : err('has a secret of its server in it')
}

const NAME_LENGTH = 64

/** Of a tool that is refused: whatever its server calls it. */
export function describeName(name: unknown, redaction: Redaction): string {
  return shorten(showHiddenCharacters(redaction.redactText(String(name))), NAME_LENGTH)
}
