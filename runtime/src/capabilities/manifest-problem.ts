import {
  type Failure,
  listManifestPointers,
  parseManifest,
  parsePointer,
  type ToolManifest,
} from 'rubicon-kernel'
import type { Capability } from '../ports/capability.ts'
import { isMadeOfManifest } from './from-manifest.ts'
import { hasSchemaPlace } from './schema-places.ts'

/** Why a tool that is data cannot be registered, or null. */
export function findManifestProblem(
  capability: Capability,
  manifest: ToolManifest,
): Failure | null {
  if (!isMadeOfManifest(capability))
    return {
      code: 'CAPABILITY_INVALID',
      summary: `\`${capability.kind}\` has a manifest, and functions that were not made of it`,
      why: 'the hash of a manifest does not pin code',
      fix: 'register what `toCapability` returns as it is, or leave out `manifest`',
    }
  const parsed = parseManifest(manifest)
  if (!parsed.ok) return parsed.error
  const { params } = parsed.value
  const wrong = listManifestPointers(parsed.value).find((text) => {
    const pointer = parsePointer(text)
    return pointer === undefined || !hasSchemaPlace(params, pointer)
  })
  if (wrong === undefined) return null
  return {
    code: 'MANIFEST_INVALID',
    summary: `\`${wrong}\` is named in the manifest of \`${capability.kind}\`, and its parameters cannot have it`,
    why: 'what no call can have would never be checked, or refuse every call',
    fix: 'name a member that stands in the schema `params`',
  }
}
