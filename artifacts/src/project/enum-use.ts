/** Whether a use of an enum means the same behind a change of the enum. */
import { findSymbol } from '../tree/find-symbol.ts'
import { listTokens } from '../tree/list-tokens.ts'
import type { SymbolNode } from '../tree/symbol-node.ts'
import type { ProjectArtifact } from './artifact.ts'
import { listMembersBehind } from './member-chain.ts'
import type { Project } from './project.ts'
import type { SymbolPlace } from './symbol-place.ts'

/**
 * One member by its name, whose value is what it was, is as before. Everything else counts on all members or on their numbers: a
 * `switch` over them, a table by them, a loop, a number that is looked up.
 */
export function isEnumUseSafe(
  changed: { readonly artifact: string; readonly path: string },
  base: Project,
  definer: Project,
  { user, place }: { readonly user: Project; readonly place: SymbolPlace },
): boolean {
  const parsed = user.artifacts.get(place.artifact)?.parsed ?? null
  if (parsed === null) return false
  const around = findSymbol(parsed, place.path)
  if (!around.ok || listTokens(parsed, around.value.own).includes('switch')) return false
  const [member] = listMembersBehind(parsed, place.at, 1)
  if (member === undefined) return false
  const before = findValue(base.artifacts.get(changed.artifact), changed.path, member.name)
  const after = findValue(definer.artifacts.get(changed.artifact), changed.path, member.name)
  return before !== null && before === after
}

/** A value that is written down, or what it is counted from and how far; null: it has no such member. */
function findValue(
  artifact: ProjectArtifact | undefined,
  path: string,
  name: string,
): string | null {
  const parsed = artifact?.parsed ?? null
  const found = parsed === null ? null : findSymbol(parsed, path)
  if (parsed === null || found === null || !found.ok) return null
  let [from, count] = ['', 0]
  for (const member of found.value.children) {
    const written = writeValue(parsed, member)
    if (written === null) count += 1
    else [from, count] = [written, 0]
    if (member.name === name) return `${from}+${count}`
  }
  return null
}

function writeValue(parsed: Parameters<typeof listTokens>[0], { body }: SymbolNode): string | null {
  return body === null ? null : listTokens(parsed, body).join(' ')
}
