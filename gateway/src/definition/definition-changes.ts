/**
 * What differs between two definitions of a tool, for a person to look at: member by member, written as JSON with what
 * nobody sees shown as its number.
 */
import { toCanonicalText } from 'rubicon-kernel'
import { showHiddenCharacters } from './hidden-characters.ts'
import type { ToolDefinition } from './tool-definition.ts'

export type DefinitionChange = {
  readonly member: string
  /** Null: it had none, or has none any more. */
  readonly agreed: string | null
  readonly found: string | null
}

const MEMBERS = ['title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const

/** In the order in which a definition has them. Either may be missing: then everything of the other differs. */
export function listDefinitionChanges(
  agreed: ToolDefinition | undefined,
  found: ToolDefinition | undefined,
): readonly DefinitionChange[] {
  return MEMBERS.flatMap((member) => {
    const [before, after] = [agreed?.[member], found?.[member]].map(formatMember)
    const change = { member, agreed: before ?? null, found: after ?? null }
    return change.agreed === change.found ? [] : [change]
  })
}

function formatMember(value: ToolDefinition[(typeof MEMBERS)[number]]): string | null {
  if (value === undefined) return null
  // Text as it is read, over its lines; all else with its members in order, so that only a difference differs.
  if (typeof value === 'string') return value.split('\n').map(showHiddenCharacters).join('\n')
  const sorted = JSON.stringify(JSON.parse(toCanonicalText(value)), null, 2)
  return sorted.split('\n').map(showHiddenCharacters).join('\n')
}
