import type { CapabilityDescription, PolicyPayload } from 'rubicon-kernel'

/** Capabilities as they were recorded, by hash. */
export type Capabilities = {
  readonly fold: (body: PolicyPayload['body']) => void
  readonly get: (hash: string) => CapabilityDescription | undefined
}

export function createCapabilities(): Capabilities {
  const known = new Map<string, CapabilityDescription>()
  return {
    fold(body) {
      const records =
        'capabilities' in body ? body.capabilities : 'capability' in body ? [body] : []
      for (const { capability, capability_hash } of records) known.set(capability_hash, capability)
    },
    get: (hash) => known.get(hash),
  }
}
