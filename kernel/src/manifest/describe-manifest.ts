/**
 * A manifest as the description of a capability. It holds the whole manifest, and says in its other members only
 * what follows from it: whoever has the description can compute the law, and find out that it was altered.
 */
import { computeAddress } from '../canonical/address.ts'
import { toDecimal } from '../canonical/decimal.ts'
import type { Sha256 } from '../canonical/sha256.ts'
import { toCanonicalText } from '../canonical/write-json.ts'
import type { CapabilityDescription } from '../execution/capability.ts'
import { err, ok, type Result } from '../result.ts'
import { parseManifest } from './parse-manifest.ts'
import type { ToolManifest } from './tool-manifest.ts'

export function describeManifest(manifest: ToolManifest, sha256: Sha256): CapabilityDescription {
  const { kind, version, summary, effect, risk, reversible, params, result, probe } = manifest
  const { exposure, touches, accepts, idempotency } = manifest
  const jitFields = Object.keys(manifest.jit_fields ?? {}).sort()
  const compensations = Object.keys(manifest.compensations ?? {}).sort()
  return {
    kind,
    version,
    summary,
    effect,
    risk,
    reversible,
    reducing: manifest.reducing ?? false,
    world_only: 'world' in manifest.executor,
    params,
    ...(result === undefined ? {} : { result }),
    measures: Object.keys(manifest.measures ?? {}).sort(),
    ...(exposure === undefined ? {} : { exposure }),
    scopes: manifest.scopes ?? {},
    ...(jitFields.length === 0 ? {} : { jit_fields: jitFields }),
    ...(touches === undefined ? {} : { touches }),
    sinks: manifest.sinks ?? {},
    ...(accepts === undefined ? {} : { accepts }),
    cost: selectFixedCost(manifest),
    ...(idempotency === undefined ? {} : { idempotency }),
    ...(compensations.length === 0 ? {} : { compensations }),
    ...(probe === undefined
      ? {}
      : {
          probe: {
            absence_authoritative: probe.absence_authoritative,
            max_late_arrival_s: probe.max_late_arrival_s,
          },
        }),
    source: { kind: 'manifest', hash: hashManifest(manifest, sha256) },
    manifest,
  }
}

/** What every call costs: amounts that are written as such. The others follow from parameters and facts. */
export function selectFixedCost({ cost = {} }: ToolManifest): Readonly<Record<string, string>> {
  const fixed: Record<string, string> = {}
  for (const [measure, expression] of Object.entries(cost)) {
    if (!('const' in expression) || typeof expression.const !== 'string') continue
    if (toDecimal(expression.const) !== undefined) fixed[measure] = expression.const
  }
  return fixed
}

export function hashManifest(manifest: ToolManifest, sha256: Sha256): string {
  return computeAddress('manifest', manifest, sha256)
}

/**
 * The manifest of a recorded description; null where it has none. Err: why it is not the description of its
 * manifest, so that nobody is judged by either.
 */
export function parseDescribedManifest(
  description: CapabilityDescription,
  sha256: Sha256,
): Result<ToolManifest | null, string> {
  const { manifest: recorded, source } = description
  if (recorded === undefined)
    return source.kind === 'manifest' ? err('its manifest is not recorded') : ok(null)
  const manifest = parseManifest(recorded)
  if (!manifest.ok) return err(manifest.error.summary)
  const expected = describeManifest(manifest.value, sha256)
  const isSame = toText(expected) === toText(description)
  return isSame ? ok(manifest.value) : err('its description is not what its manifest says')
}

function toText(description: CapabilityDescription): string {
  return toCanonicalText(description)
}
