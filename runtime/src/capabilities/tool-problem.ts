import type { Failure, Sha256, ToolManifest } from 'rubicon-kernel'
import { toCapability } from './from-manifest.ts'
import { registerCapability } from './register.ts'

/** Why a manifest that parsed cannot be registered, or null: its schemas, and what it points to in them. */
export function findToolProblem(manifest: ToolManifest, sha256: Sha256): Failure | null {
  const registered = registerCapability(toCapability(manifest, { execute: refuseCall }), sha256)
  return registered.ok ? null : registered.error
}

function refuseCall(): Promise<never> {
  return Promise.reject(new Error('a tool that is only looked at is not called'))
}
