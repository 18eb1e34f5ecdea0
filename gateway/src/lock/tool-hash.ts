import { type Failure, ok, type Result, type Sha256 } from 'rubicon-kernel'
import { registerCapability, toCapability } from 'rubicon-runtime/capabilities'
import { buildToolManifest } from './build-manifest.ts'
import type { LockedTool } from './lock-file.ts'
import { UNREVIEWED } from './tool-class.ts'

/** What a tool of the list is as a rule: its kind, and the hash by which that rule is recorded. */
export type ToolHash = { readonly kind: string; readonly capability_hash: string }

export function computeToolHash(
  { server, definition, class: said }: LockedTool,
  sha256: Sha256,
): Result<ToolHash, Failure> {
  const manifest = buildToolManifest(server, definition, said ?? UNREVIEWED, sha256)
  if (!manifest.ok) return manifest
  // Nobody is called: only what is hashed counts, and functions are not.
  const execute = (): never => {
    throw new Error('it is only looked at')
  }
  const registered = registerCapability(toCapability(manifest.value, { execute }), sha256)
  if (!registered.ok) return registered
  return ok({ kind: manifest.value.kind, capability_hash: registered.value.law.hash })
}
